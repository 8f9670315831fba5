package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a node says of its time to a room whose clock is ahead, when a call or its response took longer than its deadline. */
class RoomCacheTest {

    private static final long SECOND = 1_000_000;
    private static final long SLACK = SECOND / 10;
    private static final long AHEAD = 5 * SECOND;
    private static final RoomKey ROOM = new RoomKey(
            "site", "site", new RoomRules(1, 600 * SECOND, 10 * SECOND, 20 * SECOND, 10, new Gcra(SECOND, 0)));

    private final RoomCache cache = new RoomCache(room -> {});

    /** Both are times of this node's clock in milliseconds, after the call was sent at zero. */
    private static final String DELAYS = """
            executed, responded
            0,        0
            0,        90
            90,       90
            0,        3_000
            2_900,    3_000
            25_000,   25_000
            """;

    private static Snapshot at(long executed) {
        return new Snapshot(executed + AHEAD, 1, 0, 0);
    }

    private long reported(long until) {
        return cache.report(ROOM, "node", until, SLACK, 1).reported();
    }

    @ParameterizedTest
    @CsvSource(textBlock = DELAYS, useHeadersInDisplayName = true)
    void reportsNoTimeThatTheRoomHasNotReached(long executed, long responded) {
        cache.note(ROOM, at(1_000 * executed), 1, 0, 1_000 * responded);
        assertThat(reported(1_000 * responded)).isLessThanOrEqualTo(1_000 * responded + AHEAD);
        assertThat(cache.reached(ROOM, 1_000 * responded, 0)).isLessThanOrEqualTo(1_000 * responded + AHEAD);
    }

    @ParameterizedTest
    @CsvSource(textBlock = DELAYS, useHeadersInDisplayName = true)
    void reportsNoLaterTimeAfterALateCall(long executed, long responded) {
        cache.note(ROOM, at(0), 1, 0, 0);
        cache.clock(ROOM, 1_000 * executed + AHEAD, 0, 1_000 * responded);
        assertThat(reported(1_000 * responded)).isLessThanOrEqualTo(1_000 * responded + AHEAD);
    }

    @ParameterizedTest
    @CsvSource(textBlock = DELAYS, useHeadersInDisplayName = true)
    void endsPassesNoLaterThanTheRoom(long executed, long responded) {
        cache.note(ROOM, at(1_000 * executed), 1, 0, 1_000 * responded);
        assertThat(cache.room(ROOM, 1_000 * responded).now()).isGreaterThanOrEqualTo(1_000 * responded + AHEAD);
        assertThat(cache.after(ROOM, 1_000 * responded, SLACK)).isGreaterThanOrEqualTo(1_000 * responded + AHEAD);
    }

    @Test
    void aPromptResponseReplacesWhatALateOneLeftOpen() {
        cache.note(ROOM, at(0), 1, 0, 3 * SECOND);
        assertThat(reported(3 * SECOND)).isEqualTo(AHEAD - SLACK);
        cache.note(ROOM, at(4 * SECOND), 1, 4 * SECOND, 4 * SECOND);
        assertThat(reported(4 * SECOND)).isEqualTo(4 * SECOND + AHEAD - SLACK);
    }

    @Test
    void saysNothingOfTheTimeOfARoomThatItDoesNotKnow() {
        assertThat(reported(SECOND)).isZero();
        assertThat(cache.reached(ROOM, SECOND, 0)).isZero();
        assertThat(cache.after(ROOM, SECOND, SLACK)).isZero();
    }

    /** Whatever the epochs are: a new memory may have an earlier time, where no node knew the old one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void aDecisionOfAnEarlierMemoryIsForgotten(long epoch) {
        assertThat(cache.isForgotten(ROOM, epoch, 0)).isFalse();
        cache.note(ROOM, new Snapshot(SECOND, 2, 0, 0), 1, SECOND, 2 * SECOND);
        assertThat(cache.isForgotten(ROOM, epoch, SECOND - 1)).isTrue();
        assertThat(cache.isForgotten(ROOM, 2, SECOND - 1)).isFalse();
        assertThat(cache.isForgotten(ROOM, epoch, SECOND)).as("a new memory").isFalse();
    }

    private static RoomKey room(String id, int active) {
        return new RoomKey(
                RoomKey.limitOf(id), id, new RoomRules(active, 600 * SECOND, 10 * SECOND, 20 * SECOND, 10, null));
    }

    private void note(RoomKey key, long epoch, long now) {
        cache.note(key, new Snapshot(now, epoch, 3, 2), 1, now, now);
    }

    @Test
    void callsBackOnceForEachLossOfMemory() {
        List<RoomKey> lost = new ArrayList<>();
        RoomCache watched = new RoomCache(lost::add);
        assertThat(watched.note(ROOM, new Snapshot(0, 1, 0, 0), 1, 0, 0)).isFalse();
        assertThat(watched.note(ROOM, new Snapshot(1, 2, 0, 0), 1, 1, 1)).isTrue();
        assertThat(watched.note(ROOM, new Snapshot(2, 2, 0, 0), 1, 2, 2))
                .as("not reported yet")
                .isTrue();
        watched.reported(ROOM, 2);
        assertThat(watched.note(ROOM, new Snapshot(3, 2, 0, 0), 1, 3, 3)).isFalse();
        assertThat(lost).containsExactly(ROOM);
    }

    @Test
    void newRulesApplyToKnownRoomsAndRemoveThoseWithoutALimit() {
        note(room("site", 1), 1, 0);
        note(room("gone", 1), 1, 0);
        cache.rules(id -> id.equals("site") ? room("site", 5) : null);
        assertThat(cache.all()).containsExactly(room("site", 5));
    }

    @Test
    void theNewestOverridesApply() {
        RoomOverrides newer = RoomOverrides.NONE.active(5).at(7);
        cache.learn("site", newer);
        cache.learn("site", RoomOverrides.NONE.active(3).at(6));
        assertThat(cache.controls("site")).isEqualTo(newer);
    }

    @Test
    void ownOverridesAreNewerThanAllKnownOnes() {
        RoomKey site = room("site", 1);
        cache.want(site, overrides -> overrides.active(3), 10);
        assertThat(cache.controls("site"))
                .isEqualTo(RoomOverrides.NONE.active(3).at(10));
        cache.want(site, overrides -> overrides.in(RoomMode.PAUSED), 10);
        assertThat(cache.controls("site"))
                .isEqualTo(RoomOverrides.NONE.active(3).in(RoomMode.PAUSED).at(11));
        cache.note(site, new Snapshot(100, 1, 0, 0), 1, 10, 10);
        cache.want(site, overrides -> overrides, 10);
        assertThat(cache.controls("site").stamp()).as("by the room's clock").isEqualTo(100);
    }

    @Test
    void namesRoomsWithoutAResponseForASecond() {
        note(room("old", 1), 1, 0);
        note(room("older", 1), 1, 0);
        note(room("new", 1), 1, SECOND);
        assertThat(cache.quiet(SECOND + 1, 9)).extracting(RoomKey::id).containsExactlyInAnyOrder("old", "older");
        assertThat(cache.quiet(SECOND + 1, 1)).hasSize(1);
    }

    @Test
    void showsRoomsOfTheLastMinuteAndThoseWithOverrides() {
        note(room("site~a", 1), 1, 0);
        note(room("site~b", 1), 1, 30 * SECOND);
        RoomOverrides overrides = RoomOverrides.NONE.active(9).at(1);
        cache.learn("quiet", overrides);
        assertThat(cache.states(60 * SECOND))
                .containsExactly(
                        RoomState.empty("quiet", overrides), new RoomState("site", "site~b", 3, 2, RoomOverrides.NONE));
    }

    @Test
    void forgetsRoomsThatRedisForgotWhenTooManyAreKnown() {
        for (int i = 0; i < 10_000; i++) {
            note(room("site~" + i, 1), 1, 0);
        }
        note(room("site~0", 1), 1, 700 * SECOND);
        assertThat(cache.all()).as("a known room").hasSize(10_000);
        note(room("site~new", 1), 1, 700 * SECOND);
        assertThat(cache.all()).extracting(RoomKey::id).containsExactlyInAnyOrder("site~0", "site~new");
    }

    @Test
    void aRoomThatIsNotKnownHasNoState() {
        assertThat(cache.room(ROOM, SECOND)).isEqualTo(Snapshot.NONE);
    }
}
