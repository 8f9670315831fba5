package dev.postern.core.fuzz;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Normalizes {@code host[:port]}, independently of the gateway's parser. */
public final class StrictHost {

    private static final Pattern NAME =
            Pattern.compile("([A-Za-z0-9_~-]+(?:\\.[A-Za-z0-9_~-]+)*)\\.?(?::(?:0*([1-9][0-9]{0,4}))?)?");
    private static final Pattern LITERAL =
            Pattern.compile("\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)\\](?::(?:0*([1-9][0-9]{0,4}))?)?");
    private static final Pattern ZEROS = Pattern.compile("(?<![0-9a-f])0(?::0)+(?![0-9a-f])");

    private StrictHost() {}

    /** Returns null when the text is no valid authority. */
    public static @Nullable String of(String text) {
        Matcher name = NAME.matcher(text);
        if (name.matches()) {
            return name.group(1).toLowerCase(Locale.ROOT) + port(name.group(2));
        }
        Matcher literal = LITERAL.matcher(text);
        return literal.matches() ? "[" + shortest(literal.group(1)) + "]" + port(literal.group(2)) : null;
    }

    private static String port(@Nullable String digits) {
        return digits == null ? "" : ":" + digits;
    }

    /** RFC 5952 section 4: no leading zeros, and a colon pair for the longest run of zeros, the first of several. */
    private static String shortest(String literal) {
        byte[] bytes = bytes(literal);
        StringBuilder groups = new StringBuilder();
        for (int i = 0; i < 16; i += 2) {
            groups.append(i == 0 ? "" : ":")
                    .append(Integer.toHexString((bytes[i] & 0xff) << 8 | (bytes[i + 1] & 0xff)));
        }
        String all = groups.toString();
        String longest = ZEROS.matcher(all)
                .results()
                .map(found -> found.group())
                .reduce("", (a, b) -> b.length() > a.length() ? b : a);
        if (longest.isEmpty()) {
            return all;
        }
        int offset = all.matches(longest + "(:.*)?") ? 0 : (":" + all + ":").indexOf(":" + longest + ":");
        String head = all.substring(0, offset);
        String tail = all.substring(offset + longest.length());
        return (head.isEmpty() ? ":" : head) + (tail.isEmpty() ? ":" : tail);
    }

    private static byte[] bytes(String literal) {
        try {
            byte[] read = InetAddress.getByName(literal).getAddress();
            if (read.length == 16) {
                return read;
            }
            // The JDK makes an IPv4 address of ::ffff:0:0/96.
            byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, read[0], read[1], read[2], read[3]};
            return mapped;
        } catch (UnknownHostException e) {
            throw new AssertionError("accepted, and no address: " + literal, e);
        }
    }
}
