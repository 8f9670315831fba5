package dev.postern.core.tunnel;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.EventLoop;
import java.time.Duration;

/** Timers of one tunnel: its idle time and its maximum lifetime. Event loop only. */
final class TunnelTimers {

    private final Deadline silence;
    private final Deadline age;
    private final long idleNanos;

    /**
     * Starts both timers.
     *
     * @param idle time without data after which the tunnel ends
     * @param lifetime age at which the tunnel ends; zero for no limit
     * @param end ends the tunnel
     */
    TunnelTimers(EventLoop loop, Duration idle, Duration lifetime, Runnable end) {
        this.silence = new Deadline(loop, end);
        this.age = new Deadline(loop, end);
        this.idleNanos = idle.toNanos();
        moved();
        if (!lifetime.isZero()) {
            age.set(System.nanoTime(), lifetime.toNanos());
        }
    }

    /** Restarts the idle time: data moved. */
    void moved() {
        silence.set(System.nanoTime(), idleNanos);
    }

    void stop() {
        silence.stop();
        age.stop();
    }
}
