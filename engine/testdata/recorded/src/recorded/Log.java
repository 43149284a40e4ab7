package recorded;

import android.os.Looper;
import android.os.Message;
import android.os.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Log holds one recording: what ran, on which thread, and what it posted. README.md has the format. */
final class Log implements AutoCloseable {
  private static String title;
  private static List<String> lines = new ArrayList<>();
  private static Map<Object, Integer> numbers = new IdentityHashMap<>();
  private static Map<String, Integer> counts = new HashMap<>();
  private static Map<String, String> types = new TreeMap<>();
  /** Messages that have begun on a thread without anything logged in them yet. */
  private static final ThreadLocal<Integer> unlogged = ThreadLocal.withInitial(() -> 0);

  private final String thread, what;

  private Log(String thread, String what) {
    this.thread = thread;
    this.what = what;
  }

  static synchronized void start(String scenario) {
    title = scenario;
    lines = new ArrayList<>();
    numbers = new IdentityHashMap<>();
    counts = new HashMap<>();
    types = new TreeMap<>();
  }

  /** A run of a callback of an object, until it is closed. */
  static Log run(Object object, String callback) {
    return begin(name(object) + " " + callback);
  }

  /** A run of something posted, by its name. */
  static Log run(String name) {
    return begin("run " + name);
  }

  private static Log begin(String what) {
    Log run = new Log(thread(), what);
    add(run.thread + " begin " + what);
    return run;
  }

  @Override
  public void close() {
    add(thread + " end " + what);
  }

  /** What the system server, the user or the test does. */
  static void server(String what) {
    synchronized (Log.class) {
      lines.add("server " + what);
    }
  }

  /** A post of the named run. */
  static void post(String name, String looper, long delay, String how) {
    add(thread() + " post " + name + " on " + looper + " delay " + delay + how);
  }

  /** Anything else that an order may rest on: cancels, joins, starts, barriers. */
  static void note(String verb, String name) {
    add(thread() + " " + verb + " " + name);
  }

  private static synchronized void add(String line) {
    lines.add(line);
  }

  static String thread() {
    return Looper.myLooper() == Looper.getMainLooper() ? "main" : Thread.currentThread().getName();
  }

  static synchronized String name(Object object) {
    String type = object.getClass().getSimpleName();
    Integer number = numbers.get(object);
    if (number == null) {
      number = counts.merge(type, 1, Integer::sum);
      numbers.put(object, number);
      types.put(type, supers(object.getClass()));
    }
    return type + " " + number;
  }

  /** The nearest supertypes that are not the scenarios' own. */
  private static String supers(Class<?> type) {
    Set<String> out = new LinkedHashSet<>();
    for (Class<?> up = type; up != null; up = up.getSuperclass()) {
      if (!up.getName().startsWith("recorded.")) {
        out.add(up.getName());
        break;
      }
      for (Class<?> face : up.getInterfaces()) {
        out.add(face.getName());
      }
    }
    if (out.size() > 1) {
      out.remove("java.lang.Object");
    }
    return out.stream().sorted().collect(Collectors.joining(" "));
  }

  static synchronized void write(Path folder, String file) throws IOException {
    List<String> out = new ArrayList<>();
    out.add("# " + title);
    out.add("# " + System.getProperty("versions") + ", SDK " + Build.VERSION.SDK_INT);
    types.forEach((type, supers) -> out.add("type " + type + " " + supers));
    out.addAll(lines);
    Files.createDirectories(folder);
    Files.write(folder.resolve(file + ".txt"), out);
  }
}
