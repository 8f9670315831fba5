package dev.postern.ratelimit.redis;

/**
 * State of the recovery of one room, as this node sees it: whether the room knows what this node knows (docs/adr/0026). Immutable.
 *
 * <pre>
 *                   reply with the same epoch
 *                          +-----+
 *     first reply          v     |
 *   ------------------> Reported +---- reply with another epoch ----> Forgotten --+
 *                          ^                                             |  ^     | reply with another epoch:
 *                          +-- all requests of a report had a response --+  +-----+ the node begins a report
 * </pre>
 *
 * The epoch of a room changes when the room loses its memory. While the state is Forgotten, each reply of the room makes {@link RoomRecovery}
 * begin a report, unless one is running.
 */
sealed interface RecoveryState {

    /** Returns the state after the first reply: this node knew nothing of the room, so there is nothing to report. */
    static RecoveryState of(long epoch, int nodes) {
        return new Reported(epoch, nodes);
    }

    /** Returns the last epoch in which the room knew what this node knew. */
    long epoch();

    /** Returns the number of nodes that shared the room in {@link #epoch}. */
    int peers();

    /** Returns the next state for a reply of the room, which {@code nodes} nodes share. */
    RecoveryState replied(long epoch, int nodes);

    /** Returns the next state when this node has reported all its knowledge to the room with that epoch. */
    default RecoveryState reported(long epoch) {
        return new Reported(epoch, peers());
    }

    /** The room knows what this node knows. */
    record Reported(long epoch, int peers) implements RecoveryState {

        @Override
        public RecoveryState replied(long current, int nodes) {
            return current == epoch ? new Reported(epoch, nodes) : new Forgotten(epoch, peers);
        }
    }

    /** The room lost its memory, and waits for the knowledge of its nodes. */
    record Forgotten(long epoch, int peers) implements RecoveryState {

        @Override
        public RecoveryState replied(long current, int nodes) {
            return current == epoch ? new Reported(epoch, nodes) : this;
        }
    }
}
