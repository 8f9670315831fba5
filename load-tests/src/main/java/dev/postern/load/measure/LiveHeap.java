package dev.postern.load.measure;

import java.util.List;
import java.util.regex.Pattern;

/** Live heap of another JVM: the bytes of its reachable objects, counted after a full collection, whatever its collector. */
public final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    private LiveHeap() {}

    /** Collects twice, since the first collection frees what only references to cleared objects kept, and counts. */
    public static long collected(long pid) {
        collect(pid);
        return parse(jcmd(pid, "GC.class_histogram"));
    }

    public static void collect(long pid) {
        jcmd(pid, "GC.run");
    }

    private static String jcmd(long pid, String command) {
        return Command.output(List.of(Command.ofJdk("jcmd"), String.valueOf(pid), command));
    }

    static long parse(String histogram) {
        return Long.parseLong(Command.found(TOTAL, histogram).group(1));
    }
}
