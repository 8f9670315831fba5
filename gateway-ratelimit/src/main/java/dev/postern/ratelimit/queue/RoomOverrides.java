package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * What an operator wants of a room now, in place of what is configured. The newest stamp wins, on whichever node it was given.
 *
 * @param stamp when it was given, in microseconds; 0 for never
 * @param mode of the room
 * @param active sessions at once; 0 for as configured
 * @param interval of the base rate in microseconds; 0 for as configured
 * @param tolerance of the base rate in microseconds
 * @param opens when the room opens, in microseconds of its clock; 0 for as configured
 */
public record RoomOverrides(long stamp, RoomMode mode, int active, long interval, long tolerance, long opens) {

    public static final RoomOverrides NONE = new RoomOverrides(0, RoomMode.OPEN, 0, 0, 0, 0);

    public boolean newerThan(RoomOverrides other) {
        return stamp > other.stamp;
    }

    /** The same with another stamp. */
    public RoomOverrides at(long instant) {
        return new RoomOverrides(instant, mode, active, interval, tolerance, opens);
    }

    public RoomOverrides in(RoomMode other) {
        return new RoomOverrides(stamp, other, active, interval, tolerance, opens);
    }

    /** @param sessions at once; 0 for as configured */
    public RoomOverrides active(int sessions) {
        return new RoomOverrides(stamp, mode, sessions, interval, tolerance, opens);
    }

    /** @param rate null for as configured */
    public RoomOverrides base(@Nullable Gcra rate) {
        return rate == null
                ? new RoomOverrides(stamp, mode, active, 0, 0, opens)
                : new RoomOverrides(stamp, mode, active, rate.intervalMicros(), rate.toleranceMicros(), opens);
    }

    /** @param instant of the room's clock; 0 for as configured */
    public RoomOverrides opens(long instant) {
        return new RoomOverrides(stamp, mode, active, interval, tolerance, instant);
    }

    /** What rules the room while the operator wants this. */
    public RoomRules over(RoomRules configured) {
        return new RoomRules(
                active > 0 ? active : configured.active(),
                configured.pass(),
                configured.idle(),
                configured.absence(),
                configured.most(),
                interval > 0 ? new Gcra(interval, tolerance) : configured.base(),
                opens > 0 ? opens : configured.opens());
    }
}
