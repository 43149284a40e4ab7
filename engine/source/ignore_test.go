package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	inJava   = false
	inKotlin = true
)

// In these sources, lines that begin with * are covered, and IGNORE is a good
// annotation. want is "" or what is covered besides: the fields by their class,
// or "type" and its name; of a class that is not known exactly, a "?" follows.
var annotationTests = []struct {
	name   string
	kotlin bool
	want   string
	src    string
}{
	{"field", inJava, "Main.a", `
  class Main {
      @IGNORE
      private int a;
      int b;
  }`},
	{"field on one line", inJava, "Main.a", `
  class Main { int z; @IGNORE private static volatile int a = 1; int b; }`},
	{"fields", inJava, "Main.a Main.b Main.c Main.d", `
  class Main {
      @IGNORE
      private Map<String, List<int[]>> a = new HashMap<String, List<int[]>>(), b,
          c[] = {{1, 2}, {3}}, d;
      int e;
  }`},
	{"field with a lambda", inJava, "Main.a", `
  class Main {
      @IGNORE
      final Runnable a = () -> {
          b = 1; c = 2;
      };
      int b;
  }`},
	{"field with an anonymous class", inJava, "Main.a", `
  class Main {
      @IGNORE Runnable a = new Runnable() {
          int b;
          public void run() { }
      };
  }`},
	{"field with a class literal", inJava, "Main.b", `
  class Main {
      Class<?> a = Main.class;
      @IGNORE Class<?> b = Main.class;
  }`},
	{"generic field type", inJava, "Main.a", `
  class Main<T extends Comparable<T>> {
      @IGNORE List<Map.Entry<? super T, java.util.@Nullable List<T[]>>> a;
  }`},
	{"field named record", inJava, "Main.record", `
  class Main {
      @IGNORE Track record;
      void f() { record.play(); }
  }`},
	{"method", inJava, "", `
  class Main {
*     @IGNORE
*     @Override
*     protected void onCreate(Bundle state) {
*         if (a) { b(); }
*         String c = "}";
*     }
      int d;
  }`},
	{"method with all that there is", inJava, "", `
  class Main {
      @SuppressWarnings({"a", "b"})
      @Other(value = @Inner({1, 2}), type = Main.class) public
*     @io.github.eventraces.annotations.IGNORE static synchronized final
*     @Nullable <T extends Comparable<T>, U> Map<T, List<U>> f(@NonNull final T[] a,
*             Map<T, U>... b) throws IOException,
*             RuntimeException
*     {
*     }
      int d;
  }`},
	{"abstract method", inJava, "", `
  abstract class Main {
*     @IGNORE abstract int f(int a,
*         int b);
      int d;
  }`},
	{"method of an array", inJava, "", `
  class Main {
*     @IGNORE int f()[] {
*         return null; }
      int d;
  }`},
	{"method in braces only", inJava, "", `
  class Main { int a;
*     @IGNORE void f() { a = 1; } void g() { a = 2; }
  }`},
	{"constructor", inJava, "", `
  class Main {
*     @IGNORE
*     Main(int a) {
*         this.a = a;
*     }
      Main() { }
  }`},
	{"compact constructor", inJava, "", `
  record Main(int a) {
*     @IGNORE
*     Main {
*         b();
*     }
      void b() { }
  }`},
	{"class", inJava, "type Main", `
  package a.b;
* @IGNORE
* @Other public final class Main<T> extends Other<T> implements A, B {
*     int a;
*     class C { }
* }
  class D { }`},
	{"interface", inJava, "type Main", `
* @IGNORE interface Main extends A<B> {
*     Object A = new Object();
* }
  class D { }`},
	{"annotation type", inJava, "type Main", `
* @IGNORE @interface Main {
*     String[] value() default {};
* }
  class D { }`},
	{"enum", inJava, "type Main", `
* @IGNORE enum Main implements A {
*     A(1) { }, B;
*     int a;
* }
  class D { }`},
	{"enum constant", inJava, "Main.B", `
  enum Main {
      A, @IGNORE B, C;
      int a;
  }`},
	{"enum constant with a body", inJava, "Main.A", `
  enum Main {
      @IGNORE A(1) { void f() { } }, C;
      Main(int a) { }
  }`},
	{"constructor of an enum", inJava, "", `
  enum Main {
      A;
*     @IGNORE Main() {
*     }
      int a;
  }`},
	{"record", inJava, "type Main", `
* @IGNORE
* record Main<T>(int a, List<T> b) implements A {
*     static int c;
* }
  class D { }`},
	{"record component", inJava, "Main.b", `
  record Main(int a, @IGNORE List<Map<A, B>> b, int c) {
      int d() { return 1; }
  }`},
	{"last record component", inJava, "Main.b", `
  record Main(int a, @IGNORE int b) { }`},
	{"nested class", inJava, "type Main$A$B", `
  class Main {
      static class A extends C {
*         @IGNORE private class B {
*             int a;
*         }
          int b;
      }
  }`},
	{"field of a nested class", inJava, "Main$A.a", `
  class Main {
      void f() { new C() { }; }
      interface A { @IGNORE Object a = b(); }
  }`},
	{"field of a second class", inJava, "Other.a", `
  class Main { }
  class Other { @IGNORE int a; }`},
	{"field of an anonymous class", inJava, "Main?.a", `
  class Main {
      Runnable r = new Runnable() {
          @IGNORE int a;
          public void run() { }
      };
  }`},
	{"method of an anonymous class", inJava, "", `
  class Main {
      void f() {
          b(new Runnable() {
*             @IGNORE @Override
*             public void run() {
*             }
          });
      }
  }`},
	{"field of a local class", inJava, "Main?.a", `
  class Main {
      void f() {
          class L { @IGNORE int a; }
      }
  }`},
	{"repeated", inJava, "Main.a", `
  class Main {
      @IGNORE @Other
      @IGNORE
      int a;
  }`},
	{"in the container", inJava, "Main.a", `
  class Main {
      @IgnoreEventRaces({@IGNORE, @IGNORE})
      int a;
  }`},
	{"in the named container, on a method", inJava, "", `
  class Main {
      @io.github.eventraces.annotations.IgnoreEventRaces(value = {
*         @IGNORE,
*     })
*     @Override void f() {
*     }
      int a;
  }`},
	{"alone in the container", inJava, "Main.a", `
  class Main { @IgnoreEventRaces(@IGNORE) int a; int b; }`},
	{"with comments in between", inJava, "Main.a", `
  class Main {
      @IGNORE // {
      /* int x; */ int /* y */ a; // b
  }`},
	{"at the end of the file", inJava, "type Main", `
* @IGNORE class Main {`},
	{"on nothing", inJava, "", `
  class Main {
*     @IGNORE
  }`},

	{"property", inKotlin, "Main.a", `
  class Main : Activity() {
      @IGNORE
      private var a = 0
      var b = 1
  }`},
	{"field target", inKotlin, "Main.a", `
  class Main {
      @field:IGNORE private var a: Map<String, List<Int>>? = null
      var b = 1
  }`},
	{"qualified field target", inKotlin, "Main.a", `
  class Main { @field:io.github.eventraces.annotations.IGNORE var a = 0; var b = 1 }`},
	{"list", inKotlin, "Main.a", `
  class Main {
      @[Inject IGNORE]
      lateinit var a: A
      var b = 1
  }`},
	{"list with a target", inKotlin, "Main.a", `
  class Main {
      @field:[IGNORE Inject] lateinit var a: A
  }`},
	{"container", inKotlin, "Main.a", `
  class Main {
      @field:IgnoreEventRaces(IGNORE, IGNORE)
      var a = 0
  }`},
	{"container with an array", inKotlin, "Main.a", `
  class Main {
      @IgnoreEventRaces(value = arrayOf(IGNORE, IGNORE))
      var a = 0
  }`},
	{"container with brackets", inKotlin, "Main.a", `
  class Main {
      @IgnoreEventRaces([IGNORE])
      var a = 0
  }`},
	{"getter", inKotlin, "", `
  class Main {
*     @get:IGNORE
*     val a: Int
*         get() = b
      val b = 1
  }`},
	{"accessors", inKotlin, "", `
  class Main {
*     @set:IGNORE
*     var a: List<Int> = listOf()
*         get() {
*             return field
*         }
*         @Inject private set(value) {
*             field = value
*         }
      val b = 1
  }`},
	{"an accessor", inKotlin, "", `
  class Main {
      val a: Int
*         @IGNORE get() {
*             return 1
*         }
      val b = 1
  }`},
	{"property with a lambda", inKotlin, "", `
  class Main {
*     @get:IGNORE
*     val a = run {
*         b
*     }.also {
*         c(it)
*     }
      val b = 1
  }`},
	{"lazy property", inKotlin, "Main.a", `
  class Main {
      @IGNORE val a by lazy { 1 }
  }`},
	{"extent of a lazy property", inKotlin, "", `
  class Main {
*     @get:IGNORE val a: A by
*         lazy(NONE) {
*             1
*         }
      fun b() { }
  }`},
	{"extent of a nullable property", inKotlin, "", `
  class Main {
*     @get:IGNORE var a: String?
      var b = 1
  }`},
	{"extent of a generic property", inKotlin, "", `
  class Main {
*     @get:IGNORE lateinit var a: List<String>
      @Inject lateinit var b: B
  }`},
	{"extent up to !!", inKotlin, "", `
  class Main {
*     @get:IGNORE val a = b!!
      private val b = 1
  }`},
	{"extent of a text", inKotlin, "", `
  class Main {
*     @get:IGNORE val a = """
*         ${ b
*         }
*     """
      private val b = 1
  }`},
	{"extent of a text that goes on", inKotlin, "", `
  class Main {
*     @get:IGNORE val a = """
*         ${ b }
*     """.trim() +
*         "c"
      private val b = 1
  }`},
	{"extension property", inKotlin, "", `
* @get:IGNORE val <T : Any> Map<T, List<T>>?.a: Int
*     get() = 1
  val b = 1`},
	{"top level", inKotlin, ".a", `
  package a.b
  @IGNORE var a = 0
  class Main`},
	{"quoted name", inKotlin, "Main.a b", "\n  class Main {\n  @IGNORE var `a b` = 0\n  }"},
	{"a keyword as name", inKotlin, "Main.in", "\n  class Main {\n  @IGNORE var `in` = 0\n  var b = 1\n  }"},
	{"function", inKotlin, "", `
  class Main {
*     @IGNORE
*     override suspend fun <T> a(b: Int = c { 1 }, d: (Int) -> Unit): List<T> where T : Any {
*         val e = 1
*     }
      val b = 1
  }`},
	{"extension function", inKotlin, "", `
* @IGNORE
* fun Map<String, Int>.a() {
*     b()
* }
  fun c() { }`},
	{"abstract function", inKotlin, "", `
  interface Main {
*     @IGNORE fun a(): List<Int>
      fun b() { }
  }`},
	{"expression", inKotlin, "", `
  class Main {
*     @IGNORE fun a() = b
      fun c() { }
  }`},
	{"expression over lines", inKotlin, "", `
  class Main {
*     @IGNORE fun a(): Int =
*         b
*             .map { it + 1 }
*             ?.filter {
*                 it > 1
*             } ?: return
*             c
      @Inject fun c() { }
  }`},
	{"expression with if", inKotlin, "", `
  class Main {
*     @IGNORE fun a() =
*         if (b)
*             1
*         else
*             2
      private fun c() { }
  }`},
	{"expression with try and operators", inKotlin, "", `
  class Main {
*     @IGNORE fun a() = try { 1 }
*         catch (e: E) { 2 }
      fun b() = c &&
          d
*     @IGNORE fun e() = f
*         || g
      fun h() { }
  }`},
	{"expression with when", inKotlin, "", `
  class Main {
*     @IGNORE fun a() = when (b) {
*         1 -> c
*         else -> d
*     }
      fun e() { }
  }`},
	{"brace on its own line", inKotlin, "", `
  class Main
  {
*     @IGNORE fun a()
*     {
*         b()
*     }
      fun e() { }
  }`},
	{"data class without body", inKotlin, "type Main", `
* @IGNORE
* data class Main(
*     val a: Int = 0,
*     val b: Map<A, B>,
* ) : Other()
  fun c() { }`},
	{"class without anything", inKotlin, "type Main", `
* @IGNORE class Main
  class Other { }`},
	{"class with an injected constructor", inKotlin, "type Main", `
* @IGNORE
* class Main
* @Inject internal constructor(
*     private val a: A,
* ) : Activity(), B by c {
*     val d = 1
* }
  class Other { }`},
	{"enum class", inKotlin, "type Main", `
* @IGNORE enum class Main(val a: Int) {
*     A(1) { }, B(2);
* }
  class Other { }`},
	{"enum entry", inKotlin, "Main.B", `
  enum class Main(val a: Int) {
      A(1), @IGNORE B(2) { fun f() { } }, C(3);
  }`},
	{"fun interface", inKotlin, "type Main", `
* @IGNORE fun interface Main {
*     fun a()
* }
  class Other { }`},
	{"object", inKotlin, "type Main", `
* @IGNORE internal object Main : A by b {
*     var a = 1
* }
  class Other { }`},
	{"property of an object", inKotlin, "Main.a", `
  object Main { @JvmField @IGNORE var a = 1 }`},
	{"companion", inKotlin, "type Main$Companion", `
  class Main {
*     @IGNORE companion object {
*         var a = 1
*     }
      var b = 1
  }`},
	{"property of a companion", inKotlin, "Main.a", `
  class Main {
      companion object : A() {
          @IGNORE var a = 1
      }
  }`},
	{"property of a named companion", inKotlin, "Main.a", `
  class Main {
      companion object Named { @IGNORE var a = 1 }
  }`},
	{"class in a companion", inKotlin, "Main$Companion$A.a", `
  class Main {
      companion object { class A { @IGNORE var a = 1 } }
  }`},
	{"nested class", inKotlin, "Main$A$B.a", `
  class Main {
      val c = Main::class
      inner class A { sealed class B : C() { @IGNORE var a = 1 } }
  }`},
	{"primary constructor property", inKotlin, "Main.b", `
  class Main(
      val a: Map<A, B>,
      @IGNORE private var b: Map<A, B> = c<A, B>(1, 2),
      var d: Int,
  ) {
      var e = 1
  }`},
	{"last primary constructor property", inKotlin, "Main.b", `
  class Main(val a: A, @field:IGNORE var b: Int)
  var e = 1`},
	{"property of a class with a constructor", inKotlin, "Main$A.b", `
  class Main {
      class A @Inject constructor(@IGNORE var b: Int) { var c = 1 }
  }`},
	{"primary constructor", inKotlin, "", `
* class Main @IGNORE constructor(
*     val a: Int,
* ) : Activity() {
      var b = 1
  }`},
	{"secondary constructor", inKotlin, "", `
  class Main(val a: Int) {
*     @IGNORE constructor(a: String) : this(a.length) {
*         b = a
*     }
      var b = 1
  }`},
	{"property of an anonymous object", inKotlin, "Main?.a", `
  class Main {
      val r = object : Runnable {
          @IGNORE var a = 1
      }
  }`},
	{"function behind a label", inKotlin, "", `
  class Main {
      fun a() { b.forEach c@{ return@c } }
*     @IGNORE fun d() {
*     }
      fun e() { }
  }`},
	{"named object in a list of arguments", inKotlin, "Main?.a", `
  class Main { val b = c(object : D { @IGNORE var a = 1 }) }`},
}

func TestAnnotationCovers(t *testing.T) {
	for _, test := range annotationTests {
		want := []string{}
		var lines []string
		for n, line := range strings.Split(strings.TrimPrefix(test.src, "\n"), "\n") {
			if strings.HasPrefix(line, "*") {
				want = append(want, fmt.Sprint(n+1))
			}
			lines = append(lines, strings.TrimPrefix(line, "*"))
		}
		src := strings.ReplaceAll(strings.Join(lines, "\n"), "IGNORE", `IgnoreEventRace(rule = "stale-read", because = "x")`)
		a := ignoresIn("Main.kt", src, test.kotlin)
		if a == nil {
			t.Errorf("%s, Kotlin %v: nothing found", test.name, test.kotlin)
			continue
		}
		got := []string{}
		besides := ""
		for _, ig := range a.ignores {
			if ig.Problem != "" {
				t.Errorf("%s, Kotlin %v: it %s", test.name, test.kotlin, ig.Problem)
			}
			for n := ig.from; n > 0 && n <= ig.to; n++ {
				got = append(got, fmt.Sprint(n))
			}
			class := ig.class
			if !ig.exact {
				class += "?"
			}
			var parts []string
			if ig.isType {
				parts = append(parts, "type "+class)
			}
			for _, f := range ig.fields {
				parts = append(parts, class+"."+f)
			}
			besides = strings.Join(parts, " ")
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s, Kotlin %v: covers lines %v, want %v", test.name, test.kotlin, got, want)
		}
		if besides != test.want {
			t.Errorf("%s, Kotlin %v: covers %q besides, want %q", test.name, test.kotlin, besides, test.want)
		}
	}
}
