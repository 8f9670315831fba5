package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Visit;
import dev.postern.ratelimit.store.LivePass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.store.RoomKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Tells a room that lost its memory which passes this node knows, once per room and memory; only when all of them are written back it says
 * that this node has nothing more to tell. Thread-safe.
 */
final class Resync {

    private static final int MOST = 10_000;

    private final String node = UUID.randomUUID().toString();
    private final Map<String, Long> done = new ConcurrentHashMap<>();
    private final PassMirror mirror;
    private final InstantSource clock;

    Resync(PassMirror mirror, InstantSource clock) {
        this.mirror = mirror;
        this.clock = clock;
    }

    /** @param ask sends a question; called on the loop of whoever noticed */
    void run(RoomKey room, long epoch, Consumer<Question> ask) {
        Long before = done.put(room.id(), epoch);
        if (before != null && before == epoch) {
            return;
        }
        if (done.size() > MOST) {
            done.clear(); // telling it twice does no harm
        }
        List<LivePass> live = mirror.live(room.id(), Micros.of(clock));
        new Round(room, live.size(), ask).start(live);
    }

    private final class Round {

        private final RoomKey room;
        private final Consumer<Question> ask;
        private int open;
        private boolean failed;

        Round(RoomKey room, int open, Consumer<Question> ask) {
            this.room = room;
            this.open = open;
            this.ask = ask;
        }

        void start(List<LivePass> live) {
            if (live.isEmpty()) {
                finish();
            }
            for (LivePass pass : live) {
                claim(pass);
            }
        }

        private void claim(LivePass pass) {
            LivePass.Confirmed confirmed = pass.confirmed();
            Visit.Claim claim = new Visit.Claim(confirmed.epoch(), 0, 0, confirmed.end(), confirmed.hard());
            Visit visit = Visit.of(Visit.Intent.RENEW, pass.session(), claim);
            long askedAt = Micros.of(clock);
            ask.accept(Question.visit(room, visit, decision -> {
                mirror.note(room, pass.session(), decision, askedAt);
                failed |= decision.kind() == Decision.Kind.UNKNOWN;
                if (--open == 0) {
                    finish();
                }
            }));
        }

        private void finish() {
            if (failed) {
                done.remove(room.id());
                return;
            }
            ask.accept(Question.order(room, "SYNC", node, decision -> {
                if (decision.kind() == Decision.Kind.UNKNOWN) {
                    done.remove(room.id());
                }
            }));
        }
    }
}
