package dev.postern.load.measure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TCP segments with data that all connections of this machine to one port have sent, as the kernel counts them. */
public final class SentSegments {
    private static final Pattern CONNECTION = Pattern.compile("\\bdata_segs_out:(\\d+)");

    private SentSegments() {}

    /** Asks {@code ss}, which prints the {@code TCP_INFO} of each connection. */
    public static long to(int port) {
        return parse(Command.output("ss -tinH state established dst 127.0.0.1:" + port));
    }

    static long parse(String output) {
        Matcher connection = CONNECTION.matcher(output);
        long sum = 0;
        while (connection.find()) {
            sum += Long.parseLong(connection.group(1));
        }
        return sum;
    }
}
