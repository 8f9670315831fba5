package dev.postern.core.headers;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hop-by-hop fields: removes the fields that concern one connection only (RFC 9110 section 7.6.1), both the known ones and those that
 * Connection names. Connection cannot remove fields for framing or routing, nor the client claims of earlier proxies (CVE-2022-31813). The
 * work is bounded by the number of options, which the head parsers limit.
 */
public final class HopByHop {

    private static final List<FieldName> ALWAYS = List.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_AUTHORIZATION,
            FieldName.PROXY_CONNECTION,
            FieldName.TE,
            FieldName.TRAILER,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE);

    private static final List<FieldName> KEPT =
            List.of(FieldName.HOST, FieldName.CONTENT_LENGTH, FieldName.AUTHORIZATION, FieldName.COOKIE, FieldName.VIA);

    private HopByHop() {}

    public static void strip(Head head) {
        @Nullable String options = plain(head) ? null : head.joined(FieldName.CONNECTION);
        if (options != null) {
            removeNamed(head, options);
        }
        for (int i = 0; i < ALWAYS.size(); i++) {
            head.remove(ALWAYS.get(i));
        }
    }

    /** Returns whether Connection names no field, the usual case. */
    private static boolean plain(Head head) {
        int index = head.next(FieldName.CONNECTION, 0);
        return index < 0
                || head.next(FieldName.CONNECTION, index + 1) < 0
                        && (head.valueIs(index, FieldName.CLOSE) || head.valueIs(index, FieldName.KEEP_ALIVE));
    }

    /** Removes the named fields in one pass; one bit of the hash rules out most other fields. */
    private static void removeNamed(Head head, String options) {
        List<FieldName> named = new ArrayList<>();
        long hashes = 0;
        for (String option : options.split(",", -1)) {
            FieldName name = FieldName.of(option.trim());
            if (!KEPT.contains(name) && !named.contains(name)) {
                named.add(name);
                hashes |= 1L << name.hashCode();
            }
        }
        for (int i = 0; i < head.fields(); i++) {
            if ((hashes & 1L << head.hashAt(i)) != 0 && isOneOf(head, i, named) && !ClientClaims.contains(head, i)) {
                head.removeAt(i);
            }
        }
    }

    private static boolean isOneOf(Head head, int index, List<FieldName> named) {
        for (int i = 0; i < named.size(); i++) {
            if (head.named(index, named.get(i))) {
                return true;
            }
        }
        return false;
    }
}
