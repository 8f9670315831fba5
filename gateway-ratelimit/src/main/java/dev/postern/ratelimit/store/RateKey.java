package dev.postern.ratelimit.store;

import dev.postern.core.http.FieldName;
import org.jspecify.annotations.Nullable;

/**
 * By what exchanges are told apart: what a rate counts by, or who a tenant is.
 *
 * @param header the field of {@link Kind#HEADER}, else null
 */
public record RateKey(Kind kind, @Nullable FieldName header) {

    public static final RateKey HOST = new RateKey(Kind.HOST, null);
    public static final RateKey CLIENT_ADDRESS = new RateKey(Kind.CLIENT_ADDRESS, null);
    public static final RateKey ROUTE = new RateKey(Kind.ROUTE, null);

    public RateKey {
        if ((kind == Kind.HEADER) != (header != null)) {
            throw new IllegalArgumentException(
                    "rate-limits.per: " + kind + " (expected: a field name with header, else none)");
        }
    }

    /** What of an exchange is looked at. */
    public enum Kind {
        HOST,
        CLIENT_ADDRESS,
        ROUTE,
        HEADER
    }
}
