package dev.postern.core.upstream.share;

/** Preemption: the reason for which an exchange is ended, so that another one gets its connection. */
public enum Preemption {
    /** The exchange waits for its client. */
    CLIENT("client-wait"),
    /** The client's network holds more than its share. */
    SHARE("network-share");

    private final String label;

    Preemption(String label) {
        this.label = label;
    }

    /** Returns the tag of meters, and the reason of outcomes. */
    public String label() {
        return label;
    }
}
