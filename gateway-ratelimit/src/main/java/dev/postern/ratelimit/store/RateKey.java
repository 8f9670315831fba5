package dev.postern.ratelimit.store;

import dev.postern.core.config.Kebab;
import dev.postern.core.http.FieldName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate key: the property of an exchange by which a rate counts, or which identifies a tenant. As operators write it: {@code host},
 * {@code client-address}, {@code route} or {@code header:NAME}.
 *
 * @param header header field name for {@link Kind#HEADER}, otherwise null
 */
public record RateKey(Kind kind, @Nullable FieldName header) {

    public static final RateKey HOST = new RateKey(Kind.HOST, null);
    public static final RateKey CLIENT_ADDRESS = new RateKey(Kind.CLIENT_ADDRESS, null);
    public static final RateKey ROUTE = new RateKey(Kind.ROUTE, null);

    public static final String EXPECTED = "host | client-address | route | header:NAME";

    private static final Pattern HEADER = Pattern.compile("header:([A-Za-z0-9-]{1,64})");

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

    /** Parses a key; the message of the {@link IllegalArgumentException} says what was expected. */
    public static RateKey of(String text) {
        return switch (text) {
            case "host" -> HOST;
            case "client-address" -> CLIENT_ADDRESS;
            case "route" -> ROUTE;
            default -> {
                Matcher matcher = HEADER.matcher(text);
                if (!matcher.matches()) {
                    throw new IllegalArgumentException(EXPECTED);
                }
                yield new RateKey(Kind.HEADER, FieldName.of(matcher.group(1)));
            }
        };
    }

    @Override
    public String toString() {
        return Kebab.ofConstant(kind) + (header == null ? "" : ":" + header);
    }
}
