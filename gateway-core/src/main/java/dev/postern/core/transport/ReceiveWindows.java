package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * Receive windows of the whole process: the bytes by which windows of HTTP/2 may exceed their first size, together and each, and the
 * round-trip times that they grow with. Thread-safe.
 */
public final class ReceiveWindows {

    private static final long MICROS_TO_NANOS = 1000;

    private final long budget;
    private final ToLongFunction<Channel> roundTrips;
    private final AtomicLong granted = new AtomicLong();
    private volatile int max;

    /**
     * @param budget bytes that may be granted at once, to all windows together
     * @param roundTrips returns nanoseconds of a channel's round trip, or 0 when they are unknown
     */
    public ReceiveWindows(long budget, ToLongFunction<Channel> roundTrips) {
        this.budget = budget;
        this.roundTrips = roundTrips;
    }

    /** Returns windows within half of the direct memory, in which the bytes wait, and with the round-trip times of the kernel. */
    public static ReceiveWindows ofDirectMemory() {
        return new ReceiveWindows(PlatformDependent.maxDirectMemory() / 2, ReceiveWindows::measured);
    }

    private static long measured(Channel channel) {
        TcpInfo info = TcpInfo.of(channel);
        return info == null ? 0 : info.roundTripMicros() * MICROS_TO_NANOS;
    }

    /** Changes the largest window, for windows that grow from now on. */
    public void max(int bytes) {
        max = bytes;
    }

    /** Returns the bytes of the largest window; windows that are larger from the first do not grow. */
    public int max() {
        return max;
    }

    /** Grants as many of these bytes as the budget has left; returns their number. */
    public int take(int bytes) {
        if (bytes == 0) {
            return 0; // mostly so: no write that all event loops share
        }
        long before = granted.getAndUpdate(all -> all + within(bytes, all));
        return within(bytes, before);
    }

    private int within(int bytes, long all) {
        return (int) Math.max(0, Math.min(bytes, budget - all));
    }

    /** Returns granted bytes to the budget. */
    public void give(int bytes) {
        if (bytes != 0) {
            granted.addAndGet(-bytes);
        }
    }

    public long granted() {
        return granted.get();
    }

    /** Returns nanoseconds of the channel's round trip, or 0 when its transport does not report them. */
    public long roundTrip(Channel channel) {
        return roundTrips.applyAsLong(channel);
    }
}
