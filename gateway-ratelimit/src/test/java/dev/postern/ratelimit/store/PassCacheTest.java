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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a pass given at 1,000 for 100, and 20 of silence, by a clock that is 5,000 ahead. */
class PassCacheTest {

    private static final RoomKey ROOM = new RoomKey("site", "site", new RoomRules(1, 100, 20, 10, 10, new Gcra(1, 0)));
    private static final long AHEAD = 5_000;
    private static final long HOUR = 3_600_000_000L;

    /** Claim to the pass. */
    private static final Claim PASS = new Claim(7, 0, 0, 1_020 + AHEAD, 1_100 + AHEAD);

    private final PassCache cache = new PassCache();

    @BeforeEach
    void admit() {
        confirm(1_000, 1_020, 1_100);
    }

    private void confirm(long time, long end, long hard) {
        confirm(time, end, hard, AHEAD);
    }

    private void confirm(long time, long end, long hard, long ahead) {
        Snapshot room = new Snapshot(time + ahead, 7, 0, 1);
        cache.note(
                ROOM,
                "s",
                new AdmissionDecision(Kind.ADMITTED, 0, 0, 0, 0, end + ahead, hard + ahead, false, room),
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

    /** Another server of the room has another clock. */
    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void anotherClockOfTheRoomChangesNoEnd(long step) {
        use(1_009);
        confirm(1_010, 1_030, 1_100, AHEAD + step);
        assertThat(cache.find(ROOM, "s", 1_029)).isNotNull();
        assertThat(cache.find(ROOM, "s", 1_030)).isNull();
        for (long now = 1_025; now < 1_100; now += 15) {
            use(now);
        }
        CachedPass pass = Objects.requireNonNull(cache.lasting(ROOM, "s", 1_099));
        assertThat(pass.claim()).isEqualTo(new Claim(7, 0, 0, 1_100 + AHEAD + step, 1_100 + AHEAD + step));
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

    @Test
    void takesThePassOfACookieAndReportsItAsUnconfirmed() {
        Claim claim = new Claim(7, 0, 0, 1_020 + AHEAD, 1_100 + AHEAD);
        CachedPass pass = cache.take(ROOM, "cookie", claim, 1_010 + AHEAD, 1_010);
        assertThat(pass.confirmed().until()).isEqualTo(1_020);
        pass.begin(1_012);
        pass.end(1_018);
        assertThat(cache.lasting(ROOM, "cookie", 1_037)).as("used 20 ago").isNotNull();
        assertThat(cache.lasting(ROOM, "cookie", 1_038)).isNull();
        assertThat(cache.unreported(1_030)).containsEntry("site", 1_020L);
        assertThat(pass.claim()).isEqualTo(new Claim(7, 0, 0, 1_038 + AHEAD, 1_100 + AHEAD));
    }

    @Test
    void aCookieDoesNotShortenAConfirmedPass() {
        Claim older = new Claim(7, 0, 0, 1_015 + AHEAD, 1_100 + AHEAD);
        assertThat(cache.take(ROOM, "s", older, 1_010 + AHEAD, 1_010)
                        .confirmed()
                        .end())
                .isEqualTo(1_020 + AHEAD);
    }

    @Test
    void aRevokedPassHasEnded() {
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_010)).isFalse();
        cache.forget(ROOM, "s", 1_010 + AHEAD, 1_010);
        assertThat(cache.find(ROOM, "s", 1_010)).isNull();
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_109)).isTrue();
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_110))
                .as("after the time of a pass")
                .isFalse();
        confirm(1_020, 1_040, 1_120);
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_021))
                .as("it has another pass")
                .isFalse();
    }

    @Test
    void aPassThatAnotherNodeGaveSinceHasNotEnded() {
        cache.forget(ROOM, "s", 1_010 + AHEAD, 1_010);
        Claim later = new Claim(7, 0, 0, 1_035 + AHEAD, 1_115 + AHEAD);
        assertThat(cache.hasEnded(ROOM, "s", later, 1_020)).isFalse();
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_020)).isTrue();
    }

    @Test
    void aPassFromTheTimeOfLongerPassesHasEnded() {
        RoomKey shorter = new RoomKey("site", "site", new RoomRules(1, 50, 20, 10, 10, new Gcra(1, 0)));
        cache.forget(shorter, "s", 1_010 + AHEAD, 1_010);
        assertThat(cache.hasEnded(shorter, "s", PASS, 1_099)).isTrue();
        assertThat(cache.hasEnded(shorter, "s", PASS, 1_100)).isFalse();
    }

    @Test
    void aPassThatTheStoreRevokedHasEnded() {
        cache.note(ROOM, "s", limited(), 1_010);
        assertThat(cache.hasEnded(ROOM, "s", PASS, 1_011)).isTrue();
    }

    @Test
    void aPassOfACookieThatTheStoreDoesNotKnowHasEnded() {
        Claim claim = new Claim(7, 0, 0, 1_050 + AHEAD, 1_100 + AHEAD);
        cache.noteEnd(ROOM, "cookie", claim, AdmissionDecision.unknown(1), 1_010);
        cache.noteEnd(ROOM, "cookie", new Claim(6, 0, 0, 1_050 + AHEAD, 1_100 + AHEAD), limited(), 1_010);
        cache.noteEnd(ROOM, "cookie", new Claim(7, 0, 0, 1_010 + AHEAD, 1_100 + AHEAD), limited(), 1_010);
        assertThat(cache.hasEnded(ROOM, "cookie", claim, 1_011)).isFalse();
        cache.noteEnd(ROOM, "cookie", claim, limited(), 1_010);
        assertThat(cache.hasEnded(ROOM, "cookie", claim, 1_011)).isTrue();
    }

    private static AdmissionDecision limited() {
        return new AdmissionDecision(Kind.LIMITED, 0, 0, 0, 0, 0, 0, false, new Snapshot(1_010 + AHEAD, 7, 0, 1));
    }
}
