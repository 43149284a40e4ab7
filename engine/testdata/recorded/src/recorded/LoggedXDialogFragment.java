package recorded;

import android.app.Activity;
import android.content.Context;
import android.os.Bundle;
import android.view.View;

/** LoggedXDialogFragment logs those of a dialog fragment of AndroidX. */
public class LoggedXDialogFragment extends androidx.fragment.app.DialogFragment {
  @Override public void onAttach(Context context) { try (Log run = Log.run(this, "onAttach(Context)")) { super.onAttach(context); } }
  @Override public void onAttach(Activity activity) { try (Log run = Log.run(this, "onAttach(Activity)")) { super.onAttach(activity); } }
  @Override public void onCreate(Bundle state) { try (Log run = Log.run(this, "onCreate(Bundle)")) { super.onCreate(state); } }
  @Override public void onViewCreated(View view, Bundle state) { try (Log run = Log.run(this, "onViewCreated(View,Bundle)")) { super.onViewCreated(view, state); } }
  @Override public void onActivityCreated(Bundle state) { try (Log run = Log.run(this, "onActivityCreated(Bundle)")) { super.onActivityCreated(state); } }
  @Override public void onViewStateRestored(Bundle state) { try (Log run = Log.run(this, "onViewStateRestored(Bundle)")) { super.onViewStateRestored(state); } }
  @Override public void onStart() { try (Log run = Log.run(this, "onStart()")) { super.onStart(); } }
  @Override public void onResume() { try (Log run = Log.run(this, "onResume()")) { super.onResume(); } }
  @Override public void onPause() { try (Log run = Log.run(this, "onPause()")) { super.onPause(); } }
  @Override public void onStop() { try (Log run = Log.run(this, "onStop()")) { super.onStop(); } }
  @Override public void onDestroyView() { try (Log run = Log.run(this, "onDestroyView()")) { super.onDestroyView(); } }
  @Override public void onDestroy() { try (Log run = Log.run(this, "onDestroy()")) { super.onDestroy(); } }
  @Override public void onDetach() { try (Log run = Log.run(this, "onDetach()")) { super.onDetach(); } }
  @Override public void onSaveInstanceState(Bundle state) { try (Log run = Log.run(this, "onSaveInstanceState(Bundle)")) { super.onSaveInstanceState(state); } }
  @Override public void onHiddenChanged(boolean hidden) { try (Log run = Log.run(this, "onHiddenChanged(boolean)")) { super.onHiddenChanged(hidden); } }
  @Override public void onActivityResult(int request, int code, android.content.Intent data) { try (Log run = Log.run(this, "onActivityResult(int,int,Intent)")) { super.onActivityResult(request, code, data); } }
  @Override public android.app.Dialog onCreateDialog(Bundle state) { try (Log run = Log.run(this, "onCreateDialog(Bundle)")) { return new LoggedDialog(getActivity()); } }
  @Override public void onCancel(android.content.DialogInterface dialog) { try (Log run = Log.run(this, "onCancel(DialogInterface)")) { super.onCancel(dialog); } }
  @Override public void onDismiss(android.content.DialogInterface dialog) { try (Log run = Log.run(this, "onDismiss(DialogInterface)")) { super.onDismiss(dialog); } }
}
