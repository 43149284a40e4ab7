package oracle;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Plain methods whose results on a JVM are recorded in expected.txt. A test runs
 * the same methods on the IR. Each static method without parameters whose name
 * starts with t is one; it must need no more of the library than the interpreter
 * in the test knows.
 */
public final class Plain {
    public static void main(String[] args) throws Exception {
        Method[] methods = Plain.class.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method m : methods) {
            if (!Modifier.isStatic(m.getModifiers()) || m.getParameterCount() > 0 || !m.getName().startsWith("t")) {
                continue;
            }
            String result;
            try {
                result = show(m.invoke(null));
            } catch (java.lang.reflect.InvocationTargetException e) {
                result = "throws " + e.getCause().getClass().getName();
            }
            System.out.println(m.getName() + " " + result);
        }
    }

    static String show(Object o) {
        if (o instanceof Double) return "double " + Long.toHexString(Double.doubleToRawLongBits((Double) o));
        if (o instanceof Float) return "float " + Integer.toHexString(Float.floatToRawIntBits((Float) o));
        if (o instanceof Character) return "char " + (int) (Character) o;
        return String.valueOf(o);
    }

    // Numbers.

    static int id(int x) { return x; }
    static long id(long x) { return x; }
    static double id(double x) { return x; }
    static float id(float x) { return x; }

    static int tIntArithmetic() {
        int a = id(0x7fffffff), b = id(-13);
        return (a + 1) ^ (a * b) ^ (a / b) ^ (a % b) ^ (b - a) ^ (5 - b) ^ (b * 100) ^ ~a ^ -b;
    }

    static int tIntShifts() {
        int a = id(-123456789), s = id(37);
        return (a << s) ^ (a >> s) ^ (a >>> s) ^ (a >>> 5) ^ (a << 3) ^ (a >> 7);
    }

    static long tLongArithmetic() {
        long a = id(0x123456789abcdefL), b = id(-77L);
        return (a + b) ^ (a * b) ^ (a / b) ^ (a % b) ^ (a - b) ^ (a & b) ^ (a | b) ^ ~a ^ -b ^ (a << 9) ^ (a >>> id(70)) ^ (b >> 2);
    }

    static int tMinDividedByMinusOne() { return id(Integer.MIN_VALUE) / id(-1) + id(Integer.MIN_VALUE) % id(-1); }

    static int tDivideByZero() {
        try {
            return 10 / id(0);
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    static long tLongRemainderByZero() { return id(5L) % id(0L); }

    static double tDoubles() {
        double a = id(1e300), b = id(-0.1);
        return (a * a > a ? 1 : 2) + a * b / 3 + (a - b) % 7 + -b;
    }

    static double tDoubleNaN() {
        double n = id(0.0) / id(0.0);
        double r = 0;
        if (n < 1) r += 1;
        if (n > 1) r += 2;
        if (!(n >= 1)) r += 4;
        if (n != n) r += 8;
        if (id(1.5) == 1.5) r += 16;
        return r;
    }

    static float tFloats() {
        float a = id(1.1f), b = id(3e38f);
        return a * b / 2 + (b + b > 0 ? a : b) - a % 0.3f;
    }

    static int tNarrowing() {
        int x = id(0x12345678);
        return (byte) x + (short) (x >> 3) * 3 + (char) (x * 7) + (byte) id(200) + (short) id(40000);
    }

    static long tConversions() {
        long r = (int) id(1e20) + (long) id(-1e30) + (int) id(Double.NaN) + (long) id(3.99) + (int) id(-3.99f);
        r += (long) (float) id(16777217) + (int) id(0x1_0000_0005L) + (long) (double) id(Long.MAX_VALUE);
        return r + (int) id(3e9f);
    }

    static float tIntToFloat() { return (float) id(123456789) + (float) id(9007199254740993L) + (float) id(1e-50); }

    static int tCompareLongs() {
        int r = 0;
        for (long x = -2; x <= 2; x++) {
            r = r * 3 + (x < id(1L) ? 1 : x == id(1L) ? 2 : 0);
        }
        return r;
    }

    static boolean tBooleans() {
        boolean a = id(3) > 2, b = id(3) < 2;
        return a ^ b & !a | (a && !b);
    }

    static char tChars() {
        char c = 'a';
        c += 2;
        c++;
        return (char) (c ^ ' ');
    }

    // Control.

    static int tNestedLoops() {
        int sum = 0;
        outer:
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 20; j++) {
                if (j == i) continue outer;
                if (i * j > 150) break outer;
                sum = sum * 31 + i * j;
            }
        }
        return sum;
    }

    static int tSwapInLoop() {
        int a = 1, b = 2, c = 3;
        for (int i = 0; i < id(7); i++) {
            int t = a;
            a = b;
            b = c;
            c = t;
        }
        return a * 100 + b * 10 + c;
    }

    static int tFibonacci() { return fib(15); }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static int tPackedSwitch() {
        int r = 0;
        for (int i = -1; i < 7; i++) {
            switch (i) {
                case 0: r += 1;
                case 1: r += 10; break;
                case 2: r += 100; break;
                case 4: r += 1000; continue;
                case 5: return r * 7;
                default: r -= 1;
            }
            r *= 2;
        }
        return r;
    }

    static int tSparseSwitch() {
        int r = 0;
        for (int x : new int[] {-1000000, 5, 77, 123456789, 0}) {
            switch (x) {
                case -1000000: r += 3; break;
                case 77: r += 5; break;
                case 123456789: r *= 7; break;
                default: r = r * 2 + 1;
            }
        }
        return r;
    }

    static String tStringSwitch() {
        String r = "";
        for (String s : new String[] {"Aa", "BB", "x", ""}) {
            switch (s) {
                case "Aa": r += "1"; break;
                case "BB": r += "2"; break;
                case "": r += "3"; break;
                default: r += "4";
            }
        }
        return r;
    }

    static int tConditionalChain() {
        int r = 0;
        for (int i = 0; i < 16; i++) {
            boolean a = (i & 1) != 0, b = (i & 2) != 0, c = (i & 4) != 0, d = (i & 8) != 0;
            r = r << 1 | ((a && b || c && !d) != (a || d) ? 1 : 0);
        }
        return r;
    }

    static int tDoWhile() {
        int n = id(27), steps = 0;
        do {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        } while (n != 1);
        return steps;
    }

    // Zero as a number and as null, and register reuse.

    static String tZeroAndNull() {
        int n = 0;
        Object o = null;
        String s = null;
        if (id(1) > 0) {
            n = 5;
        } else {
            o = "x";
        }
        long l = 0;
        float f = 0;
        double d = 0;
        boolean z = false;
        return two(n, o) + two(0, null) + (s == null) + l + (f == 0) + (d == 0) + z + (o == s);
    }

    static String two(int n, Object o) { return n + ":" + (o == null ? "null" : "some") + ";"; }

    static String tNullPhi() {
        Object o = null;
        for (int i = 0; i < 3; i++) {
            if (i == id(2)) o = "two";
        }
        Object p = id(0) == 0 ? null : null;
        int k = id(0) == 0 ? 0 : 0;
        return o + "" + (p == null) + k;
    }

    static int tFloatOrInt() {
        float f = id(1) > 0 ? 0 : 1;
        int i = id(1) > 0 ? 0 : 1;
        float[] fs = new float[2];
        int[] is = new int[2];
        fs[0] = f;
        is[0] = i;
        fs[1] = 0;
        is[1] = 0;
        return fs[0] == is[1] ? 1 : 2;
    }

    static long tWideConstants() {
        long a = 0x7fff_ffff_ffffL, b = -1, c = 1L << 48;
        double d = 2.0, e = 0.5;
        for (int i = 0; i < 3; i++) {
            a += c;
            d *= e;
            b -= a;
        }
        return a ^ b ^ (long) (d * 1000);
    }

    static long tWideArguments() { return wide(1, 2L, (byte) 3, 4.5, 5f, 6L, 7); }

    static long wide(int a, long b, byte c, double d, float e, long f, int g) {
        return a + 10 * b + 100 * c + (long) (1000 * d) + (long) (10000 * e) + 100000 * f + 1000000 * g;
    }

    // Arrays.

    static int tArrays() {
        int[] a = {5, 4, 3, 2, 1, 0, -1, -2};
        for (int i = 0; i < a.length; i++) {
            for (int j = i + 1; j < a.length; j++) {
                if (a[j] < a[i]) {
                    int t = a[i];
                    a[i] = a[j];
                    a[j] = t;
                }
            }
        }
        int r = 0;
        for (int x : a) r = r * 11 + x;
        return r;
    }

    static long tArrayTypes() {
        byte[] b = {1, -2, 3};
        short[] s = {1000, -2000};
        char[] c = {'x', '\uffff'};
        boolean[] z = {true, false, true};
        long[] l = {1L << 40, -5};
        float[] f = {1.5f, -2.5f};
        double[] d = {1e10, -1e-10};
        b[1] += 127;
        c[1]++;
        s[0] *= 100;
        return b[1] + s[0] + s[1] + c[0] + c[1] + (z[2] ? 7 : 0) + l[0] + l[1] + (long) f[1] + (long) d[0];
    }

    static int tMatrix() {
        int[][] m = new int[3][4];
        int[][][] deep = new int[2][][];
        deep[1] = m;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i * j + 1;
        return deep[1][2][3] * 100 + m[1].length + deep.length + (deep[0] == null ? 1000 : 0);
    }

    static int tArrayErrors() {
        int r = 0;
        int[] a = new int[2];
        try { a[id(2)] = 1; } catch (ArrayIndexOutOfBoundsException e) { r += 1; }
        try { r += a[id(-1)]; } catch (ArrayIndexOutOfBoundsException e) { r += 2; }
        try { a = new int[id(-5)]; } catch (NegativeArraySizeException e) { r += 4; }
        try { a = null; r += a.length; } catch (NullPointerException e) { r += 8; }
        try {
            Object[] o = new String[1];
            o[0] = new Object();
        } catch (ArrayStoreException e) { r += 16; }
        return r;
    }

    // Exceptions.

    static int tHandlerSeesOldValue() {
        int x = 1;
        try {
            x = mayThrow(1);
            x = mayThrow(2);
            x = mayThrow(-1);
            x = 100;
        } catch (IllegalStateException e) {
            return x;
        }
        return -x;
    }

    static int mayThrow(int n) {
        if (n < 0) throw new IllegalStateException("no");
        return n * 10;
    }

    static String tFinallyOrder() {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            try {
                try {
                    b.append("t").append(i);
                    if (i == 1) throw new IllegalArgumentException("a");
                    if (i == 2) throw new RuntimeException("b");
                    if (i == 3) return withFinally(b) + ":" + b;
                } catch (IllegalArgumentException e) {
                    b.append("c").append(e.getMessage());
                } finally {
                    b.append("f");
                }
            } catch (RuntimeException e) {
                b.append("r").append(e.getMessage());
            }
        }
        return "end";
    }

    @SuppressWarnings("finally")
    static int withFinally(StringBuilder b) {
        int x = 1;
        try {
            x = 2;
            return x;
        } finally {
            x = 3;
            b.append("w").append(x);
        }
    }

    static String tMultiCatch() {
        String r = "";
        for (int i = 0; i < 5; i++) {
            try {
                pick(i);
            } catch (IllegalStateException | ArithmeticException e) {
                r += "m" + e.getMessage();
            } catch (RuntimeException e) {
                r += "r" + e.getMessage();
            } catch (Exception e) {
                r += "e" + e.getMessage();
            } catch (Error e) {
                r += "E" + e.getMessage();
            }
        }
        return r;
    }

    static void pick(int i) throws Exception {
        switch (i) {
            case 0: throw new IllegalStateException("0");
            case 1: throw new ArithmeticException("1");
            case 2: throw new IllegalArgumentException("2");
            case 3: throw new Exception("3");
            default: throw new Error("4");
        }
    }

    static String tNestedTry() {
        String r = "";
        int x = 0;
        try {
            x = 1;
            try {
                x = 2;
                mayThrow(-5);
                x = 3;
            } finally {
                r += x;
                x = 4;
                mayThrow(1);
            }
        } catch (IllegalStateException e) {
            r += x + e.getMessage();
        }
        return r;
    }

    static int tUncaught() { return mayThrow(id(-1)); }

    static int tNullCall() {
        String s = id(1) > 0 ? null : "x";
        return s.length();
    }

    static class Oops extends Exception {
        final int code;

        Oops(int code) {
            super("oops" + code);
            this.code = code;
        }
    }

    static String tOwnException() {
        String r = "";
        for (int i = 0; i < 3; i++) {
            try {
                if (i != 1) throw new Oops(i);
                r += "-";
            } catch (Oops e) {
                r += e.code + e.getMessage();
            }
        }
        return r;
    }

    static int tThrowInLoop() {
        int n = 0, i = 0;
        while (true) {
            try {
                while (true) {
                    if (i++ % 3 == 2) throw new Oops(i);
                    if (i > 20) return n;
                }
            } catch (Oops e) {
                n = n * 2 + e.code;
            }
        }
    }

    // Objects.

    interface Shape {
        int area();

        default int twice() { return 2 * area(); }

        static Shape of(int n) { return n > 2 ? new Square(n) : new Rect(n, n + 1); }
    }

    interface Named extends Shape {
        default String name() { return "named" + twice(); }
    }

    static class Rect implements Named {
        protected int w, h;
        static int made;

        Rect(int w, int h) {
            this.w = w;
            this.h = h;
            made++;
        }

        public int area() { return w * h; }
    }

    static class Square extends Rect {
        Square(int w) { super(w, w); }

        @Override public int twice() { return super.twice() + 1; }

        @Override public String name() { return "square" + super.name(); }
    }

    static String tObjects() {
        String r = "";
        for (int i = 1; i < 5; i++) {
            Shape s = Shape.of(i);
            r += s.area() + "," + s.twice() + "," + ((Named) s).name() + (s instanceof Square) + ";";
        }
        return r + (Rect.made >= 4);
    }

    static String tCasts() {
        Object o = Shape.of(1);
        String r = "";
        try {
            r += ((Square) o).w;
        } catch (ClassCastException e) {
            r += "cce";
        }
        Object n = null;
        Square q = (Square) n;
        int[] ints = new int[1];
        Object a = ints, b = new String[2][3];
        return r + (q == null) + (n instanceof Object) + (a instanceof int[]) + (b instanceof Object[]) + (b instanceof Object[][])
            + (b instanceof String[]) + (a instanceof Object[]) + (a instanceof Cloneable);
    }

    static class Node {
        final int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    static int tLinkedList() {
        Node head = null;
        for (int i = 0; i < 10; i++) head = new Node(i, head);
        Node reversed = null;
        while (head != null) {
            Node next = head.next;
            head.next = reversed;
            reversed = head;
            head = next;
        }
        int r = 0;
        for (Node n = reversed; n != null; n = n.next) r = r * 3 + n.value;
        return r;
    }

    static final class Lazy {
        static final int CONST = 42;
        static int count = Counter.tick(7);
        static { count += Counter.tick(1); }
    }

    static final class Counter {
        static int ticks;

        static int tick(int n) { return ticks += n; }
    }

    static int tStaticInit() {
        int before = Counter.ticks;
        int c = Lazy.CONST;
        int still = Counter.ticks - before;
        return Lazy.count * 1000 + (Counter.ticks - before) * 10 + still + c;
    }

    enum Color { RED, GREEN, BLUE }

    static class Fields {
        boolean z;
        byte b;
        short s;
        char c;
        int i;
        long l;
        float f;
        double d;
        Object o;
        static long total;
    }

    static long tFields() {
        Fields x = new Fields();
        x.z = id(1) == 1;
        x.b = (byte) id(300);
        x.s = (short) id(70000);
        x.c = (char) id(-1);
        x.i += x.b;
        x.l = x.i - 1L;
        x.f = x.l / 2;
        x.d = x.f / 3;
        Fields.total += x.l;
        Fields.total++;
        return (x.z ? 1 : 0) + x.b + x.s + x.c + x.i + x.l + (long) x.f + (long) (x.d * 100) + Fields.total + (x.o == null ? 5 : 6);
    }

    // Lambdas, inner classes, locks.

    interface IntOp { int apply(int a); }

    interface Maker<T> { T make(int n); }

    static int compose(IntOp f, IntOp g, int x) { return f.apply(g.apply(x)); }

    static int tLambdas() {
        int k = id(3);
        IntOp add = x -> x + k;
        IntOp neg = x -> -x;
        IntOp self = Plain::fib;
        return compose(add, neg, 5) * 100 + compose(neg, add, 5) + compose(self, add, 7);
    }

    static String tConstructorReference() {
        Maker<Square> m = Square::new;
        Rect bound = new Rect(2, 5);
        IntOp area = x -> bound.area() + x;
        Runnable nothing = () -> { };
        nothing.run();
        return m.make(6).area() + "" + area.apply(1);
    }

    static int tAnonymous() {
        final int[] box = {0};
        Runnable r = new Runnable() {
            int times;

            @Override public void run() {
                times++;
                box[0] += 10 * times;
            }
        };
        for (int i = 0; i < 4; i++) r.run();
        return box[0];
    }

    static int tSynchronized() {
        Object lock = new Object();
        int n = 0;
        for (int i = 0; i < 3; i++) {
            try {
                synchronized (lock) {
                    n += 5;
                    if (i == 1) throw new IllegalStateException("x");
                    n += 1;
                }
            } catch (IllegalStateException e) {
                n *= 2;
            }
        }
        return n + locked(4);
    }

    static synchronized int locked(int n) { return n == 0 ? 0 : n + locked(n - 1); }

    // Strings and boxes.

    static String tConcat() {
        return "a" + id(1) + 'c' + id(2L) + true + null + "z" + (Object) "o";
    }

    static int tStrings() {
        String s = "hello";
        int h = 0;
        for (int i = 0; i < s.length(); i++) h = 31 * h + s.charAt(i);
        return h == s.hashCode() && s.equals("hel" + "lo") ? h : 0;
    }

    static int tBoxes() {
        Integer a = id(100), b = 28;
        Object o = a + b;
        Long l = id(5L);
        return (Integer) o + l.intValue() + (a.equals(100) ? 1 : 0);
    }

    static int tVarargs() { return sum() + sum(1) * 10 + sum(1, 2, 3) * 100; }

    static int sum(int... xs) {
        int r = 0;
        for (int x : xs) r += x;
        return r;
    }

    static int tTernaryMix() {
        int r = 0;
        for (int i = 0; i < 6; i++) {
            r += i > 3 ? i < 5 ? 1 : 20 : i % 2 == 0 ? 300 : 4000;
            r ^= (i & 1) == 0 ? 0 : -1;
        }
        return r;
    }

    static long tManyLocals() {
        int a = id(1), b = id(2), c = id(3), d = id(4), e = id(5), f = id(6), g = id(7), h = id(8), i = id(9);
        long j = id(10L), k = id(11L), l = id(12L), m = id(13L);
        int n = id(14), o = id(15), p = id(16), q = id(17), r = id(18);
        long s = many(a, b, c, d, e, f, j, k);
        return s + g * h - i + l * m + n + o * p - q % r + a + b + c + d + e + f + j + k;
    }

    static long many(int a, int b, int c, int d, int e, int f, long j, long k) {
        return a - b * 2 + c * 3 - d * 4 + e * 5 - f * 6 + j * 7 - k * 8;
    }

    static int tEnumSwitch() {
        int r = 0;
        for (Color c : new Color[] {Color.BLUE, Color.RED}) {
            r = r * 10 + (c == Color.RED ? 1 : c.ordinal() + 5);
        }
        return r;
    }
}
