package dev.postern.ratelimit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.ManualClock;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequests;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomClock;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.util.concurrent.Ticker;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests one owner with more rooms and rates than it keeps. */
class RoomShardTest {

    private static final long HOUR = 3_600_000_000L;
    private static final Gcra HOURLY = new Gcra(HOUR, 0);
    private static final int INVENTED = 21_500;

    private final RoomShard shard = new RoomShard(
            new RoomClock(Ticker.newMockTicker(), new ManualClock(Instant.parse("2026-11-20T12:00:00Z"))));

    private static RoomKey room(String id) {
        RoomRules rules = new RoomRules(1, HOUR, HOUR, HOUR, 100, HOURLY);
        return new RoomKey("site", "site~" + id, rules);
    }

    private Kind visit(String room, String session) {
        return shard.decide(room(room), AdmissionRequests.enter(session)).kind();
    }

    @Test
    void evictsEmptyRooms() {
        for (int i = 0; i < INVENTED; i++) {
            assertThat(visit("invented" + i, "stranger")).isEqualTo(Kind.BASE);
        }
        assertThat(visit("real", "a")).isEqualTo(Kind.BASE);
        assertThat(visit("real", "b")).isEqualTo(Kind.ADMITTED);
        assertThat(visit("real", "c")).isEqualTo(Kind.WAITING);
    }

    @Test
    void keepsRoomsInUse() {
        visit("real", "first");
        assertThat(visit("real", "in")).isEqualTo(Kind.ADMITTED);
        assertThat(visit("real", "waiting")).isEqualTo(Kind.WAITING);
        shard.control(room("paused"), wanted -> wanted.in(RoomMode.PAUSED));
        visit("paused", "first");
        for (int i = 0; i < INVENTED; i++) {
            visit("invented" + i, "stranger");
        }
        assertThat(visit("real", "late")).as("the slot is taken").isEqualTo(Kind.WAITING);
        assertThat(shard.known(room("real")).waiting()).isEqualTo(2);
        RoomOverrides kept = shard.control(room("paused"), wanted -> wanted);
        assertThat(kept.mode()).isEqualTo(RoomMode.PAUSED);
    }

    @Test
    void neverEvictsARoomInUse() {
        for (int i = 0; i < RoomShard.MAX_ROOMS; i++) {
            visit("used" + i, "base");
            assertThat(visit("used" + i, "in")).isEqualTo(Kind.ADMITTED);
        }
        assertThat(visit("one-more", "in")).isEqualTo(Kind.FULL);
        assertThat(visit("used0", "next")).isEqualTo(Kind.WAITING);
    }

    @Test
    void inventedKeysDoNotUseTheRateOfARealKey() {
        for (int i = 0; i < INVENTED; i++) {
            shard.limit("site~invented" + i, HOURLY);
        }
        assertThat(shard.limit("site~real", HOURLY).kind()).isEqualTo(Kind.BASE);
        assertThat(shard.limit("site~real", HOURLY).kind()).isEqualTo(Kind.LIMITED);
    }
}
