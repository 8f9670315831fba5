package dev.postern.core.route;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.Head;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Removes what concerns one connection only (RFC 9110 section 7.6.1): the known fields and those that Connection names. What framing and
 * routing stand on can't be named away, nor can what proxies before us said of the client (CVE-2022-31813).
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

    private static final List<FieldName> KEPT = List.of(
            FieldName.HOST,
            FieldName.CONTENT_LENGTH,
            FieldName.AUTHORIZATION,
            FieldName.COOKIE,
            FieldName.FORWARDED,
            FieldName.VIA,
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PROTO);

    private HopByHop() {}

    public static void strip(Head head) {
        @Nullable String options = plain(head) ? null : head.joined(FieldName.CONNECTION);
        if (options != null) {
            for (String option : options.split(",")) {
                nominated(head, option.trim());
            }
        }
        for (int i = 0; i < ALWAYS.size(); i++) {
            head.remove(ALWAYS.get(i));
        }
    }

    /** Whether Connection names no field, as almost always. */
    private static boolean plain(Head head) {
        int index = head.next(FieldName.CONNECTION, 0);
        return index < 0
                || head.next(FieldName.CONNECTION, index + 1) < 0
                        && (head.valueIs(index, FieldName.CLOSE) || head.valueIs(index, FieldName.KEEP_ALIVE));
    }

    private static void nominated(Head head, String option) {
        if (option.isEmpty()) {
            return;
        }
        FieldName name = FieldName.of(option.toLowerCase(Locale.ROOT));
        if (!KEPT.contains(name)) {
            head.remove(name);
        }
    }
}
