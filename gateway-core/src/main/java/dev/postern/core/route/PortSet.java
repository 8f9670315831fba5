package dev.postern.core.route;

import dev.postern.core.config.Checks;
import java.util.List;
import java.util.Set;

/**
 * Set of the destination ports that a forward policy permits. Closed by default.
 *
 * @param ranges permitted ranges
 * @param single ports that are permitted only by a range of their own number
 */
public record PortSet(List<Range> ranges, Set<Integer> single) {

    /**
     * UDP services that send far more than they receive to a forged source: chargen, DNS, TFTP, portmap, NTP, NetBIOS, SNMP, CLDAP, RIP,
     * IPMI, MSSQL, SSDP, ARMS, WSD, CoAP, memcached and others (CISA alert TA14-017A).
     */
    static final Set<Integer> AMPLIFYING = Set.of(
            7, 17, 19, 53, 69, 111, 123, 137, 138, 161, 389, 427, 520, 623, 1434, 1900, 3283, 3389, 3702, 5093, 5353,
            5683, 10001, 11211, 17185, 27015, 37810);

    public PortSet {
        ranges = List.copyOf(ranges);
        single = Set.copyOf(single);
    }

    /** Parses the ports of TCP destinations. */
    public static PortSet of(List<String> texts) {
        return new PortSet(texts.stream().map(Range::of).toList(), Set.of());
    }

    /** Parses the ports of UDP destinations: an amplifying service needs its own number. */
    public static PortSet ofUdp(List<String> texts) {
        return new PortSet(texts.stream().map(Range::of).toList(), AMPLIFYING);
    }

    /** Checks the spelling of ports and ranges. */
    public static void check(Checks checks, String key, List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            checks.parses(key + "." + i, text, () -> Range.of(text));
        }
    }

    /** Range of ports from {@code first} to {@code last}, both included. */
    public record Range(int first, int last) {

        /** Parses {@code 443} or {@code 1024-65535}. */
        static Range of(String text) {
            String[] ends = text.trim().split("-", 2);
            try {
                int first = Integer.parseInt(ends[0].trim());
                int last = ends.length == 1 ? first : Integer.parseInt(ends[1].trim());
                if (first >= 1 && first <= last && last <= 65535) {
                    return new Range(first, last);
                }
            } catch (NumberFormatException e) {
                // falls through to the message below
            }
            throw new IllegalArgumentException(text + " (expected: a port or a range such as 1024-65535)");
        }

        private boolean contains(int port) {
            return first <= port && port <= last;
        }
    }

    /** Returns whether the port is permitted. */
    public boolean contains(int port) {
        boolean alone = single.contains(port);
        for (Range range : ranges) {
            if (range.contains(port) && (!alone || range.first() == range.last())) {
                return true;
            }
        }
        return false;
    }
}
