package dev.postern.core.http;

import java.util.Locale;

/** Fault domain of a refusal: the party that has to act on the refusal. */
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
