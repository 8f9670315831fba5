package dev.postern.core.testing;

import org.jspecify.annotations.Nullable;

/** The gateway's end of a connection in memory, as the {@link MemoryPeer} at the other end sees it. */
interface MemoryEnd {

    /** Sends bytes, which the gateway reads when it wants them. */
    void send(byte[] bytes);

    /** Ends what the peer sends. */
    void endInput();

    /** Resets the connection behind what the peer sent. */
    void resetByPeer();

    /** Returns the bytes that the gateway sent since the last call, or null. */
    byte @Nullable [] sent();

    /** Returns whether the gateway sends no more. */
    boolean ended();

    /** Returns whether the gateway has reset the connection. */
    boolean wasReset();

    boolean isOpen();

    /** Waits for more of the gateway; false when nothing will come, or the time is over. */
    default boolean awaitMore(int millis) {
        return false;
    }
}
