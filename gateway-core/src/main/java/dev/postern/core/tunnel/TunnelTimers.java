package dev.postern.core.tunnel;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Timers of one tunnel: its idle time and its maximum lifetime. Event loop only. */
final class TunnelTimers {

    /** Idle time while the gateway stops: idle tunnels end before those in use, which have until the end of the drain. */
    static final long DRAIN_IDLE = TimeUnit.SECONDS.toNanos(5);

    private final Deadline silence;
    private final @Nullable Deadline age;
    private final Runnable end;
    private long idleNanos;
    private long movedAt;

    /**
     * Starts both timers.
     *
     * @param idle time without data after which the tunnel ends
     * @param lifetime age at which the tunnel ends; zero for no limit
     * @param end ends the tunnel
     */
    TunnelTimers(EventLoop loop, Duration idle, Duration lifetime, Runnable end) {
        this.end = end;
        this.silence = new Deadline(loop, end);
        this.age = lifetime.isZero() ? null : new Deadline(loop, end);
        this.idleNanos = idle.toNanos();
        moved();
        if (age != null) {
            age.set(lifetime.toNanos());
        }
    }

    /** Restarts the idle time: data moved. Returns the current time, of the ticker of the loop. */
    long moved() {
        long now = now();
        movedAt = now;
        silence.set(now, idleNanos);
        return now;
    }

    /** Returns the current time, of the ticker of the loop. */
    long now() {
        return silence.now();
    }

    /** Shortens the idle time, which starts again. */
    void drain() {
        idleNanos = Math.min(idleNanos, DRAIN_IDLE);
        moved();
    }

    /** Returns the time without data. */
    long idleNanos(long now) {
        return now - movedAt;
    }

    /** Ends the tunnel now. */
    void end() {
        stop();
        end.run();
    }

    void stop() {
        silence.stop();
        if (age != null) {
            age.stop();
        }
    }
}
