package dev.postern.auth.spend;

import java.util.Locale;

/** Result of a spend. UNKNOWN must never be treated as FRESH. */
public enum SpendResult {
    /** This call spent the token; no earlier call did. */
    FRESH,
    /** The token was spent before. */
    SPENT,
    /** The ledger can't tell: no response in time, a lost connection, or a store that is full or may have lost its memory. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name of this result in logs and metrics. */
    public String label() {
        return label;
    }
}
