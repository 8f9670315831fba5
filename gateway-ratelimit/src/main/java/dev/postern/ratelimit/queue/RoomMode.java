package dev.postern.ratelimit.queue;

/** What an operator may do with a room; the order is that of the script. */
public enum RoomMode {
    /** As configured. */
    OPEN(true, true, true),
    /** Nobody passes without a ticket, even while nobody waits. */
    EVERYBODY_QUEUES(false, true, true),
    /** Nobody new is admitted; who has a pass keeps it, who waits keeps the place, and others may join. */
    PAUSED(false, false, true),
    /** Nobody may join any more; who waits is still admitted. */
    DRAINING(false, true, false);

    private static final RoomMode[] ALL = values();

    private final boolean base;
    private final boolean admits;
    private final boolean joins;

    RoomMode(boolean base, boolean admits, boolean joins) {
        this.base = base;
        this.admits = admits;
        this.joins = joins;
    }

    public static RoomMode of(int code) {
        return ALL[code];
    }

    /** Whether requests may pass on the base rate. */
    boolean base() {
        return base;
    }

    boolean admits() {
        return admits;
    }

    /** Whether somebody may take a ticket; one who had a place that the store forgot gets it back all the same. */
    boolean joins() {
        return joins;
    }
}
