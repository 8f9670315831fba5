package dev.postern.ratelimit.queue;

/** Mode of a room, set by the operator, in the order of the codes of {@code room.lua}. */
public enum RoomMode {
    /** The room works as configured. */
    OPEN(true, true, true),
    /** No request passes within the base rate, even while the queue is empty. */
    EVERYBODY_QUEUES(false, true, true),
    /** No session is admitted. Passes and places stay valid, and sessions may join the queue. */
    PAUSED(false, false, true),
    /** No session may join the queue. Waiting sessions are admitted. */
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

    /** Returns whether requests may pass within the base rate. */
    boolean base() {
        return base;
    }

    boolean admits() {
        return admits;
    }

    /** Returns whether a session may take a ticket. A place that the store lost is restored in every mode. */
    boolean joins() {
        return joins;
    }
}
