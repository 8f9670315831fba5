package dev.postern.ratelimit.store;

import dev.postern.core.http.FieldName;
import org.jspecify.annotations.Nullable;

/**
 * Rate key: the property of an exchange by which a rate counts, or which identifies a tenant.
 *
 * @param header header field name for {@link Kind#HEADER}, otherwise null
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

    /** Kind of the property. */
    public enum Kind {
        HOST,
        CLIENT_ADDRESS,
        ROUTE,
        HEADER
    }
}
