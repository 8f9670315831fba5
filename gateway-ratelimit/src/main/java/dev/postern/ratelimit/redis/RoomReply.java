package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.Controls;
import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Decision.Kind;
import dev.postern.ratelimit.queue.Decision.Snapshot;
import dev.postern.ratelimit.queue.RoomMode;
import java.util.List;

/** The answer of {@code room.lua}: eleven numbers about the room, then eight per visit. */
record RoomReply(List<Object> numbers) {

    private static final int HEAD = 11;
    private static final int EACH = 8;

    /** Whether the call came after nobody waited for it any more, so that nothing was done. */
    boolean late() {
        return at(4) == 1;
    }

    /** Whether nobody new is admitted, until every node has said which passes it knows. */
    boolean frozen() {
        return at(4) == 2;
    }

    Snapshot room() {
        return new Snapshot(at(0), at(1), at(2), at(3));
    }

    /** What an operator wants of the room. */
    Controls controls() {
        return new Controls(at(5), RoomMode.of((int) at(6)), (int) at(7), at(8), at(9), at(10));
    }

    Decision decision(int index, Snapshot room) {
        int from = HEAD + index * EACH;
        return new Decision(
                Kind.of((int) at(from)),
                at(from + 1),
                at(from + 2),
                at(from + 3),
                at(from + 4),
                at(from + 5),
                at(from + 6),
                at(from + 7) == 1,
                room);
    }

    private long at(int index) {
        return (Long) numbers.get(index);
    }
}
