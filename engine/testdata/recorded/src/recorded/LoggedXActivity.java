package recorded;

import android.app.Dialog;
import android.content.Intent;
import android.content.res.Configuration;
import android.os.Bundle;
import android.view.KeyEvent;
import android.view.Menu;
import android.view.MotionEvent;
import android.view.View;
import android.view.WindowManager;

/** LoggedXActivity logs its callbacks, and lets a subclass do something in each. */
public class LoggedXActivity extends androidx.fragment.app.FragmentActivity {
  /** Called in each callback, after what the framework does in it. */
  void during(String callback) {}

  @Override protected void onCreate(Bundle state) { try (Log run = Log.run(this, "onCreate(Bundle)")) { super.onCreate(state); during("onCreate"); } }
  @Override protected void onStart() { try (Log run = Log.run(this, "onStart()")) { super.onStart(); during("onStart"); } }
  @Override protected void onRestart() { try (Log run = Log.run(this, "onRestart()")) { super.onRestart(); during("onRestart"); } }
  @Override protected void onResume() { try (Log run = Log.run(this, "onResume()")) { super.onResume(); during("onResume"); } }
  @Override protected void onPostCreate(Bundle state) { try (Log run = Log.run(this, "onPostCreate(Bundle)")) { super.onPostCreate(state); during("onPostCreate"); } }
  @Override protected void onPostResume() { try (Log run = Log.run(this, "onPostResume()")) { super.onPostResume(); during("onPostResume"); } }
  @Override protected void onPause() { try (Log run = Log.run(this, "onPause()")) { super.onPause(); during("onPause"); } }
  @Override protected void onStop() { try (Log run = Log.run(this, "onStop()")) { super.onStop(); during("onStop"); } }
  @Override protected void onDestroy() { try (Log run = Log.run(this, "onDestroy()")) { super.onDestroy(); during("onDestroy"); } }
  @Override protected void onSaveInstanceState(Bundle state) { try (Log run = Log.run(this, "onSaveInstanceState(Bundle)")) { super.onSaveInstanceState(state); during("onSaveInstanceState"); } }
  @Override protected void onRestoreInstanceState(Bundle state) { try (Log run = Log.run(this, "onRestoreInstanceState(Bundle)")) { super.onRestoreInstanceState(state); during("onRestoreInstanceState"); } }
  @Override protected void onUserLeaveHint() { try (Log run = Log.run(this, "onUserLeaveHint()")) { super.onUserLeaveHint(); } }
  @Override protected void onNewIntent(Intent intent) { try (Log run = Log.run(this, "onNewIntent(Intent)")) { super.onNewIntent(intent); during("onNewIntent"); } }
  @Override protected void onActivityResult(int request, int code, Intent data) { try (Log run = Log.run(this, "onActivityResult(int,int,Intent)")) { super.onActivityResult(request, code, data); during("onActivityResult"); } }
  @Override public void onRequestPermissionsResult(int request, String[] names, int[] grants) { try (Log run = Log.run(this, "onRequestPermissionsResult(int,String[],int[])")) { super.onRequestPermissionsResult(request, names, grants); } }
  @Override public void onConfigurationChanged(Configuration now) { try (Log run = Log.run(this, "onConfigurationChanged(Configuration)")) { super.onConfigurationChanged(now); } }
  @Override public void onContentChanged() { try (Log run = Log.run(this, "onContentChanged()")) { super.onContentChanged(); during("onContentChanged"); } }
  @Override public void onAttachedToWindow() { try (Log run = Log.run(this, "onAttachedToWindow()")) { super.onAttachedToWindow(); } }
  @Override public void onDetachedFromWindow() { try (Log run = Log.run(this, "onDetachedFromWindow()")) { super.onDetachedFromWindow(); } }
  @Override public void onWindowFocusChanged(boolean has) { try (Log run = Log.run(this, "onWindowFocusChanged(boolean)")) { super.onWindowFocusChanged(has); } }
  @Override public void onWindowAttributesChanged(WindowManager.LayoutParams params) { try (Log run = Log.run(this, "onWindowAttributesChanged(WindowManager$LayoutParams)")) { super.onWindowAttributesChanged(params); } }
  @Override public void onTopResumedActivityChanged(boolean top) { try (Log run = Log.run(this, "onTopResumedActivityChanged(boolean)")) { super.onTopResumedActivityChanged(top); } }
  @Override public void onBackPressed() { try (Log run = Log.run(this, "onBackPressed()")) { super.onBackPressed(); } }
  @Override public boolean onKeyDown(int code, KeyEvent event) { try (Log run = Log.run(this, "onKeyDown(int,KeyEvent)")) { return super.onKeyDown(code, event); } }
  @Override public boolean onKeyUp(int code, KeyEvent event) { try (Log run = Log.run(this, "onKeyUp(int,KeyEvent)")) { return super.onKeyUp(code, event); } }
  @Override public boolean onTouchEvent(MotionEvent event) { try (Log run = Log.run(this, "onTouchEvent(MotionEvent)")) { return super.onTouchEvent(event); } }
  @Override public void onUserInteraction() { try (Log run = Log.run(this, "onUserInteraction()")) { super.onUserInteraction(); } }
  @Override public boolean onCreateOptionsMenu(Menu menu) { try (Log run = Log.run(this, "onCreateOptionsMenu(Menu)")) { menu.add("item"); return super.onCreateOptionsMenu(menu); } }
  @Override public boolean onPrepareOptionsMenu(Menu menu) { try (Log run = Log.run(this, "onPrepareOptionsMenu(Menu)")) { return super.onPrepareOptionsMenu(menu); } }
  @Override public View onCreatePanelView(int feature) { try (Log run = Log.run(this, "onCreatePanelView(int)")) { return super.onCreatePanelView(feature); } }
  @Override public boolean onCreatePanelMenu(int feature, Menu menu) { try (Log run = Log.run(this, "onCreatePanelMenu(int,Menu)")) { return super.onCreatePanelMenu(feature, menu); } }
  @Override public boolean onPreparePanel(int feature, View view, Menu menu) { try (Log run = Log.run(this, "onPreparePanel(int,View,Menu)")) { return super.onPreparePanel(feature, view, menu); } }
  @Override protected Dialog onCreateDialog(int id, Bundle args) { try (Log run = Log.run(this, "onCreateDialog(int,Bundle)")) { return super.onCreateDialog(id, args); } }
  @Override protected void onPrepareDialog(int id, Dialog dialog, Bundle args) { try (Log run = Log.run(this, "onPrepareDialog(int,Dialog,Bundle)")) { super.onPrepareDialog(id, dialog, args); } }
}
