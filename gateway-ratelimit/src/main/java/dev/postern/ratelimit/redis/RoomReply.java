package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.List;

/**
 * Reply of {@code room.lua}: fourteen numbers about the room, then for each request a code, with its kind, and further numbers. Read once,
 * in order.
 */
final class RoomReply {

    private static final int HEAD = 14;
    /** Index of the time of the server's clock. */
    private static final int WALL = 13;

    /** The code is the kind, plus a value times this number. */
    private static final int KINDS = 8;

    private final List<Object> numbers;
    private final RoomRules rules;
    private int next = HEAD;

    /** @param configured rules of the room, to which the reply's overrides apply */
    RoomReply(List<Object> numbers, RoomRules configured) {
        this.numbers = numbers;
        this.rules = overrides().appliedTo(configured);
    }

    /** Returns whether the call arrived after its deadline, so that the script changed nothing. */
    boolean late() {
        return at(4) == 1;
    }

    Snapshot room() {
        return new Snapshot(at(0), at(1), at(2), at(3));
    }

    /** Returns the operator's overrides of the room. */
    RoomOverrides overrides() {
        return new RoomOverrides(at(5), RoomMode.of((int) at(6)), (int) at(7), at(8), at(9), at(10));
    }

    /** Returns the number of nodes that share the room. */
    int nodes() {
        return (int) at(11);
    }

    /** Reads the decision of the next request. */
    AdmissionDecision decision(Snapshot room) {
        long code = next();
        Kind kind = Kind.of((int) (code % KINDS));
        long value = code / KINDS;
        return switch (kind) {
            case ADMITTED -> new AdmissionDecision(kind, 0, 0, 0, 0, next(), next(), value == 1, room);
            case WAITING -> waiting(value, next(), room);
            case DEFERRED -> deferred(value, next(), room);
            default -> new AdmissionDecision(kind, 0, 0, value, 0, 0, 0, false, room);
        };
    }

    private AdmissionDecision waiting(long position, long ticket, Snapshot room) {
        long retry = position == 0 ? rules.pollBefore(at(WALL)) : rules.poll(position);
        return new AdmissionDecision(Kind.WAITING, position, estimate(position), retry, ticket, 0, 0, false, room);
    }

    private AdmissionDecision deferred(long position, long ticket, Snapshot room) {
        long retry = rules.comeBack(position, at(WALL));
        return new AdmissionDecision(Kind.DEFERRED, 0, estimate(position), retry, ticket, 0, 0, false, room);
    }

    private long estimate(long position) {
        return position == 0 ? rules.opens() - at(WALL) : rules.estimate(position, at(12));
    }

    private long next() {
        return at(next++);
    }

    private long at(int index) {
        return (Long) numbers.get(index);
    }
}
