package dev.postern.auth.spend;

import java.util.Locale;

/** What the ledger says of a token, and nothing in between: unknown is not fresh. */
public enum SpendResult {
    /** This attempt, and no other, spent it. */
    FRESH,
    /** It was spent before. */
    SPENT,
    /** Nobody can say: no response in time, a lost connection, a store that is full or may have forgotten. */
    UNKNOWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name as it stands in log and metrics. */
    public String label() {
        return label;
    }
}
