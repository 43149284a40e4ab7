package recorded;

import android.app.Dialog;
import android.content.Context;
import android.os.Bundle;

/** LoggedDialog logs the callbacks of a dialog. */
public class LoggedDialog extends Dialog {
  public LoggedDialog(Context context) {
    super(context);
  }

  @Override protected void onCreate(Bundle state) { try (Log run = Log.run(this, "onCreate(Bundle)")) { super.onCreate(state); } }
  @Override protected void onStart() { try (Log run = Log.run(this, "onStart()")) { super.onStart(); } }
  @Override protected void onStop() { try (Log run = Log.run(this, "onStop()")) { super.onStop(); } }
  @Override public Bundle onSaveInstanceState() { try (Log run = Log.run(this, "onSaveInstanceState()")) { return super.onSaveInstanceState(); } }
  @Override public void onRestoreInstanceState(Bundle state) { try (Log run = Log.run(this, "onRestoreInstanceState(Bundle)")) { super.onRestoreInstanceState(state); } }
  @Override public void onAttachedToWindow() { try (Log run = Log.run(this, "onAttachedToWindow()")) { super.onAttachedToWindow(); } }
  @Override public void onDetachedFromWindow() { try (Log run = Log.run(this, "onDetachedFromWindow()")) { super.onDetachedFromWindow(); } }
  @Override public void onContentChanged() { try (Log run = Log.run(this, "onContentChanged()")) { super.onContentChanged(); } }
}
