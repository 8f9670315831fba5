package dev.postern.auth.key;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * Time from which a listed key may be used, the field {@code not-before} of a directory: seconds since 1970 (RFC 9578 section 4). Drafts
 * before the RFC defined milliseconds; no number is in both ranges, because seconds that large are after the year 9999.
 */
final class NotBefore {

    private static final double MILLIS = 1000;

    /** Last second of the year 9999. */
    private static final double LAST_SECOND = 253_402_300_799.0;

    private static final int SHOWN = 40;

    private NotBefore() {}

    /**
     * Reads the field; an absent or null one, and a time before 1970, permit the use of the key at once.
     *
     * @throws IllegalArgumentException stating what is wrong
     */
    static Instant read(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return Instant.EPOCH;
        }
        double value = node.isNumber() ? node.asDouble(Double.NaN) : Double.NaN;
        if (value < 0) {
            return Instant.EPOCH;
        }
        if (value <= LAST_SECOND) {
            return Instant.ofEpochMilli((long) Math.ceil(value * MILLIS));
        }
        if (value <= LAST_SECOND * MILLIS) {
            return Instant.ofEpochMilli((long) value);
        }
        String found =
                node.isNumber() ? shown(node.asString()) : node.getNodeType().toString();
        throw new IllegalArgumentException("not-before: " + found + " (expected: a number, seconds since 1970)");
    }

    private static String shown(String number) {
        return number.length() <= SHOWN ? number : number.length() + " characters";
    }
}
