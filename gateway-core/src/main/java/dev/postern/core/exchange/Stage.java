package dev.postern.core.exchange;

import java.util.Locale;

/** The stages of one exchange in the order in which its time is accounted; the names are those of the docs, the log and the meters. */
public enum Stage {
    /** From the first byte of the head to its last. */
    RECEIVE,
    MATCH,
    IDENTIFY,
    VERIFY,
    ADMIT,
    /** Waiting until the exchanges before it on its connection let it go on. */
    TURN,
    SPEND,
    /** Getting an upstream connection: from the pool, by waiting for one, or by connecting. */
    CONNECT,
    /** From the request being written to the first byte of the answer. */
    RESPOND,
    /** From the first byte of the answer to the last one being written. */
    SEND;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name as it stands in log and metrics. */
    public String label() {
        return label;
    }
}
