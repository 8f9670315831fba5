package dev.postern.core.exchange;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Admission of an exchange: by what right its request may pass. */
public enum Admission {
    /** A token that was spent for it. */
    TOKEN,
    /** A session that a token bought. */
    SESSION,
    /** A pass of a room. */
    PASS,
    /** Nothing is required, or the limit is not reached. */
    OPEN;

    private static final ExchangeKey<Boolean> PASSED = ExchangeKey.of("pass of a room");

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the first that applies to an exchange that may pass. */
    public static Admission of(Exchange exchange) {
        @Nullable Credential credential = exchange.credential();
        if (credential != null && credential.session() != null) {
            return SESSION;
        }
        if (credential != null && credential.spent()) {
            return TOKEN;
        }
        return exchange.get(PASSED) == null ? OPEN : PASS;
    }

    /** Notes that the exchange uses a pass of a room. */
    public static void passed(Exchange exchange) {
        exchange.put(PASSED, true);
    }

    public String label() {
        return label;
    }
}
