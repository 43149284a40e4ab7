package golden;

/** Methods whose IR golden.txt shows. */
public class Sample {
    interface Callback { void call(int code); }

    private Object lock = new Object();
    private String text;
    static int count;

    int loop(int[] values) {
        int sum = 0;
        for (int v : values) {
            if (v < 0) continue;
            sum += v;
        }
        return sum;
    }

    /** The handler returns what length was before the call. */
    int handled(String s) {
        int length = -1;
        try {
            length = s.length();
            length = Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return length;
        } finally {
            count++;
        }
        return 0;
    }

    /** One zero is a number, the other null. */
    void zero(Callback c) {
        int code = 0;
        if (text == null) {
            c = null;
        }
        c.call(code);
        this.text = null;
        count = 0;
    }

    /** Both types of exception go on in the same code. */
    String both(Callback c, long wait) {
        try {
            c.call((int) wait);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return e.getMessage();
        }
        return text;
    }

    void locked(Callback c) {
        synchronized (lock) {
            if (text != null) {
                c.call(text.length());
            }
        }
    }

    int choose(int k) {
        switch (k) {
            case 1: return 10;
            case 2: count = 3;
            case 3: return 30;
            case 1000: return 40;
            default: return -1;
        }
    }

    Callback later(String s) {
        return code -> {
            text = s;
            count += code;
        };
    }

    double average(float[] xs, double initial) {
        double sum = initial;
        float last = 0;
        for (float x : xs) {
            sum += last - x;
            last = x;
        }
        return xs.length == 0 ? 0 : sum / xs.length;
    }
}
