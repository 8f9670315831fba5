package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of a room's configuration, set by the operator. The newest stamp wins, on whichever node the overrides were set.
 *
 * @param stamp time at which the overrides were set, in microseconds; 0 for never
 * @param mode mode of the room
 * @param active maximum number of active sessions; 0 for the configured one
 * @param interval interval of the base rate in microseconds; 0 for the configured base rate
 * @param tolerance tolerance of the base rate in microseconds
 * @param opens instant of the wall clock at which the room opens, in microseconds; 0 for the configured instant
 */
public record RoomOverrides(long stamp, RoomMode mode, int active, long interval, long tolerance, long opens) {

    public static final RoomOverrides NONE = new RoomOverrides(0, RoomMode.OPEN, 0, 0, 0, 0);

    public boolean newerThan(RoomOverrides other) {
        return stamp > other.stamp;
    }

    /** Returns the same overrides with another stamp. */
    public RoomOverrides at(long instant) {
        return new RoomOverrides(instant, mode, active, interval, tolerance, opens);
    }

    public RoomOverrides in(RoomMode other) {
        return new RoomOverrides(stamp, other, active, interval, tolerance, opens);
    }

    /** @param sessions maximum number of active sessions; 0 for the configured one */
    public RoomOverrides active(int sessions) {
        return new RoomOverrides(stamp, mode, sessions, interval, tolerance, opens);
    }

    /** @param rate base rate; null for the configured one */
    public RoomOverrides base(@Nullable Gcra rate) {
        return rate == null
                ? new RoomOverrides(stamp, mode, active, 0, 0, opens)
                : new RoomOverrides(stamp, mode, active, rate.intervalMicros(), rate.toleranceMicros(), opens);
    }

    /** @param instant of the wall clock; 0 for the configured one */
    public RoomOverrides opens(long instant) {
        return new RoomOverrides(stamp, mode, active, interval, tolerance, instant);
    }

    /** Returns the configured rules with these overrides applied. */
    public RoomRules appliedTo(RoomRules configured) {
        return new RoomRules(
                active > 0 ? active : configured.active(),
                configured.pass(),
                configured.idle(),
                configured.absence(),
                configured.keep(),
                configured.maxWaiting(),
                interval > 0 ? new Gcra(interval, tolerance) : configured.base(),
                opens > 0 ? opens : configured.opens(),
                configured.perNetwork());
    }
}
