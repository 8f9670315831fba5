package dev.postern.load.stages;

/** What is measured in turn in each round: paths of two gateways, and the stages' work by itself. */
public enum Step {
    /** Neither token nor room. */
    OPEN,
    /** A token, spent in memcached. */
    TOKEN,
    /** A token, spent in memcached, and a room in Redis before. */
    ROOM,
    /** {@link #OPEN} of a gateway that spends in its own memory. */
    EMBEDDED_OPEN,
    /** A token, spent in the gateway's own memory. */
    EMBEDDED_TOKEN,
    /** A signature, checked by itself. */
    VERIFY,
    /** A spend in memcached by itself. */
    SPEND,
    /** A decision of a room in Redis by itself. */
    DECIDE
}
