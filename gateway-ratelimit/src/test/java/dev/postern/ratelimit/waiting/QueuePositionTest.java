package dev.postern.ratelimit.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePositionTest {

    private static final long SECOND = 1_000_000;
    private static final long OPENING = 1_000_000 * SECOND;

    /** Verifies the rule from the shortest absence that can be configured. */
    @ParameterizedTest
    @ValueSource(longs = {3_000, 3_500, 4_000, 4_500, 5_000, 7_000, 10_000, 20_000, 59_000, 3_600_000})
    void clientThatComesBackAsItIsToldIsNeverAbsent(long absenceMillis) {
        long absence = absenceMillis * 1_000;
        RoomRules rules = new RoomRules(1, 60 * SECOND, 10 * SECOND, absence, absence, 10_000, null, OPENING);
        for (int position : new int[] {1, 2, 49, 50, 51, 99, 150, 500, 9_999}) {
            assertThat(latestReturn(rules.poll(position)))
                    .as("position %d", position)
                    .isLessThan(absence);
        }
        for (long before : new long[] {1, SECOND, 90 * SECOND, 90_000 * SECOND}) {
            assertThat(latestReturn(rules.pollBefore(OPENING - before)))
                    .as("%d before the opening", before)
                    .isLessThan(absence);
        }
    }

    /** Returns the longest time between two requests of a client that is told to retry: pages add up to a quarter, {@code Retry-After} too. */
    private static long latestReturn(long retry) {
        long told = position(retry).retrySeconds();
        long longest = 0;
        for (int i = 0; i < 200; i++) {
            longest = Math.max(longest, QueuePosition.spread(told));
        }
        return Math.max(longest * SECOND, told * SECOND * 5 / 4);
    }

    @Test
    void clientsNearTheFrontAreToldOneSecond() {
        RoomRules rules = new RoomRules(1, 60 * SECOND, 10 * SECOND, 20 * SECOND, 100, null);
        assertThat(position(rules.poll(1)).retrySeconds()).isOne();
        assertThat(position(rules.poll(100)).retrySeconds()).isEqualTo(3);
        assertThat(position(0).retrySeconds()).isOne();
    }

    @Test
    void clientsWithoutAPlaceAreToldNoLessThanTheirTime() {
        assertThat(position(Kind.WAITING, 1_900_000).retrySeconds()).isOne();
        for (Kind kind : new Kind[] {Kind.LIMITED, Kind.FULL, Kind.DEFERRED, Kind.UNKNOWN}) {
            assertThat(position(kind, 1_900_000).retrySeconds()).as("%s", kind).isEqualTo(2);
        }
    }

    private static QueuePosition position(long retry) {
        return position(Kind.WAITING, retry);
    }

    private static QueuePosition position(Kind kind, long retry) {
        Snapshot room = new Snapshot(7, 7, 1, 1);
        return QueuePosition.of(new AdmissionDecision(kind, 1, 0, retry, 42, 0, 0, false, room), 1);
    }
}
