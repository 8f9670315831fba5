package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import java.util.List;

/** Reply of {@code room.lua}: twelve numbers about the room, then for each request its kind and further numbers. Read once, in order. */
final class RoomReply {

    private static final int HEAD = 12;

    private final List<Object> numbers;
    private int next = HEAD;

    RoomReply(List<Object> numbers) {
        this.numbers = numbers;
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
        Kind kind = Kind.of((int) next());
        return switch (kind) {
            case ADMITTED -> new AdmissionDecision(kind, 0, 0, 0, 0, next(), next(), next() == 1, room);
            case WAITING -> new AdmissionDecision(kind, next(), next(), next(), next(), 0, 0, false, room);
            default -> new AdmissionDecision(kind, 0, 0, next(), 0, 0, 0, false, room);
        };
    }

    private long next() {
        return at(next++);
    }

    private long at(int index) {
        return (Long) numbers.get(index);
    }
}
