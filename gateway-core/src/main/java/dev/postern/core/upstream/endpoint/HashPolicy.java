package dev.postern.core.upstream.endpoint;

import dev.postern.core.config.Kebab;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Policy that derives a hash key from an exchange: exchanges with the same key go to the same endpoint.
 *
 * @param name of the header or cookie
 */
public record HashPolicy(Kind kind, String name) {

    public static final HashPolicy CLIENT_ADDRESS = new HashPolicy(Kind.CLIENT_ADDRESS, "");

    private static final Pattern FORM = Pattern.compile("(client-address|path)|(header|cookie):([A-Za-z0-9_-]{1,64})");

    /** Parses a policy as configured; the message of the {@link IllegalArgumentException} says what was expected. */
    public static HashPolicy of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("client-address | path | header:NAME | cookie:NAME");
        }
        return form.group(1) == null
                ? new HashPolicy(Kind.valueOf(Kebab.environment(form.group(2))), form.group(3))
                : new HashPolicy(Kind.valueOf(Kebab.environment(form.group(1))), "");
    }

    /** Source of the key. */
    public enum Kind {
        CLIENT_ADDRESS,
        PATH,
        HEADER,
        COOKIE
    }

    /** Returns the position on the ring; without the header or cookie, that of the client's address. */
    long key(Exchange exchange) {
        @Nullable
        String text = switch (kind) {
            case CLIENT_ADDRESS -> null;
            case PATH -> exchange.request().path();
            case HEADER -> exchange.request().joined(FieldName.of(name));
            case COOKIE -> cookie(exchange.request().value(FieldName.COOKIE));
        };
        return HashRing.hash(text == null ? exchange.clientAddress().getHostAddress() : text);
    }

    private @Nullable String cookie(@Nullable String all) {
        if (all != null) {
            for (String pair : all.split(";", -1)) {
                String trimmed = pair.trim();
                if (trimmed.startsWith(name) && trimmed.startsWith("=", name.length())) {
                    return trimmed.substring(name.length() + 1);
                }
            }
        }
        return null;
    }
}
