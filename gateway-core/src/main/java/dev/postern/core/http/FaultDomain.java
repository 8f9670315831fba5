package dev.postern.core.http;

import java.util.Locale;

/** Who has to do something about a refusal. */
public enum FaultDomain {
    CLIENT,
    GATEWAY,
    UPSTREAM,
    STORE;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
        return label;
    }
}
