package dev.postern.load.stages;

/** Step that is measured in turn in each round: a path of one of two gateways, or a stage alone. */
public enum Step {
    /** Neither token nor waiting room. */
    OPEN,
    /** A token, spent in memcached. */
    TOKEN,
    /** A token, spent in memcached, and before that a waiting room in Redis. */
    ROOM,
    /** {@link #OPEN} of a gateway that spends in its own memory. */
    EMBEDDED_OPEN,
    /** A token, spent in the gateway's own memory. */
    EMBEDDED_TOKEN,
    /** A signature check alone. */
    VERIFY,
    /** A spend in memcached alone. */
    SPEND,
    /** A decision of a waiting room in Redis alone. */
    DECIDE
}
