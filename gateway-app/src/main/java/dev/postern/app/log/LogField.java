package dev.postern.app.log;

import dev.postern.core.config.Kebab;

/** Field of a line of the exchange log, in the order of the line. */
enum LogField {
    TIME,
    ID,
    LISTENER,
    TRACE,
    ROUTE,
    METHOD,
    HOST,
    PATH,
    QUERY,
    STATUS,
    CODE,
    BLAME,
    REASON,
    WOULD_REFUSE,
    WOULD_REFUSE_REASON,
    UPSTREAM,
    REUSED,
    TRIES,
    BYTES_IN,
    BYTES_OUT,
    CUT,
    CLIENT,
    /** Time from a trusted proxy to the gateway. */
    BEFORE_US,
    TOTAL_US,
    SLOWEST,
    STAGES_US,
    /** Fields of extensions. */
    EXTRA;

    private final String label = Kebab.ofConstant(this);

    /** Returns the name in the line. */
    String label() {
        return label;
    }
}
