package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a pass given at 1,000 for 100, and 20 of silence, by a clock that is 5,000 ahead. */
class PassCacheTest {

    private static final RoomKey ROOM = new RoomKey("site", "site", new RoomRules(1, 100, 20, 10, 10, new Gcra(1, 0)));
    private static final long AHEAD = 5_000;

    private final PassCache cache = new PassCache();

    @BeforeEach
    void admit() {
        confirm(1_000, 1_020, 1_100);
    }

    private void confirm(long time, long end, long hard) {
        Snapshot room = new Snapshot(time + AHEAD, 7, 0, 1);
        cache.note(
                ROOM,
                "s",
                new AdmissionDecision(Kind.ADMITTED, 0, 0, 0, 0, end + AHEAD, hard + AHEAD, false, room),
                time);
    }

    private void use(long now) {
        CachedPass pass = Objects.requireNonNull(cache.lasting(ROOM, "s", now));
        pass.begin(now);
        pass.end(now);
    }

    @Test
    void lastsUnconfirmedWhileItIsUsed() {
        use(1_015);
        assertThat(cache.find(ROOM, "s", 1_025)).as("confirmed").isNull();
        use(1_025);
        assertThat(cache.lasting(ROOM, "s", 1_044)).isNotNull();
        assertThat(cache.lasting(ROOM, "s", 1_045)).isNull();
    }

    @Test
    void lastsToItsHardEndAtMost() {
        for (long now = 1_010; now < 1_100; now += 10) {
            use(now);
        }
        assertThat(cache.lasting(ROOM, "s", 1_099)).isNotNull();
        assertThat(cache.lasting(ROOM, "s", 1_100)).isNull();
    }

    @Test
    void delaysReportsUntilConfirmedOrRemoved() {
        use(1_015);
        assertThat(cache.unreported(1_019)).isEmpty();
        assertThat(cache.unreported(1_030)).containsEntry("site", 1_020L);
        confirm(1_032, 1_052, 1_100);
        assertThat(cache.unreported(1_033)).isEmpty();
        assertThat(cache.unreported(1_060)).as("not used any more").isEmpty();
        assertThat(cache.size()).isZero();
    }

    @Test
    void isRenewedWhileUnconfirmedAndClaimsTheEndToWhichItLasts() {
        use(1_015);
        use(1_030);
        List<CachedPass> renewed = new ArrayList<>();
        cache.sweep(1_040, renewed::add);
        assertThat(renewed).hasSize(1);
        assertThat(renewed.get(0).claim()).isEqualTo(new Claim(7, 0, 0, 1_050 + AHEAD, 1_100 + AHEAD));
    }
}
