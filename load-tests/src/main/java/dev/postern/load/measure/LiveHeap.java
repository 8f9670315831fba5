package dev.postern.load.measure;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Live heap of another JVM: the bytes of its reachable objects, counted after a full collection, whatever its collector. */
public final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    private LiveHeap() {}

    /** Collects twice, since the first collection frees what only references to cleared objects kept, and counts. */
    public static long collected(long pid) {
        jcmd(pid, "GC.run");
        return parse(jcmd(pid, "GC.class_histogram"));
    }

    private static String jcmd(long pid, String command) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return Command.output(List.of(jcmd, String.valueOf(pid), command));
    }

    static long parse(String histogram) {
        Matcher matcher = TOTAL.matcher(histogram);
        if (!matcher.find()) {
            throw new IllegalArgumentException("histogram of " + histogram.length()
                    + " characters without a total (expected: a line such as 'Total 1234 56789')");
        }
        return Long.parseLong(matcher.group(1));
    }
}
