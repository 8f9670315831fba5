package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the watermarks of {@link NodeTable} at their limits: passes of 60 s, 5 s of absence, 5 s of patience, outages of more than 2 s. */
class NodeWatermarkTest {

    private static final RoomRules RULES = AdmissionRequests.rules();
    private static final long EPOCH = 1_000 * SECOND;
    private static final long PATIENT = 15 * SECOND; // absence and patience
    private static final long FORGOTTEN = 120 * SECOND; // a pass and a minute

    private final NodeTable table = new NodeTable();

    private void report(String node, long reported, long now) {
        table.report(new RoomReport(node, EPOCH, reported, 3, 3), EPOCH, RULES, now);
    }

    /** Lets node "one" report everything, twice a second, so that there is no outage. */
    private void reportRegularly(long from, long to) {
        for (long now = from; now <= to; now += SECOND / 2) {
            report("one", now, now);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "50, 50"})
    void aNodeThatKnowsNothingHasReportedEverything(long sinceEpoch, long expected) {
        long now = EPOCH + sinceEpoch;
        table.report(new RoomReport("new", 0, 0, 0, 1), EPOCH, RULES, now);
        assertThat(table.silentTo(now)).isEqualTo(EPOCH + expected);
    }

    @ParameterizedTest
    @CsvSource({"-5, 1", "0, 1", "1, 1", "2, 2", "100, 100", "101, 100"})
    void aReportCountsBetweenTheEpochAndNow(long sinceEpoch, long expected) {
        long now = EPOCH + 100;
        report("one", EPOCH + sinceEpoch, now);
        assertThat(table.silentTo(now)).isEqualTo(EPOCH + expected);
    }

    @Test
    void aNodeOfTheFormerMemoryHasReportedNothingSinceTheEpoch() {
        long now = EPOCH + SECOND;
        table.report(new RoomReport("one", EPOCH - SECOND, now, 1, 1), EPOCH, RULES, now);
        assertThat(table.frozen(now)).isTrue();
        assertThat(table.silentTo(now))
                .as("passes wait while the room is frozen")
                .isZero();
        assertThat(table.absentTo(RULES, now)).as("places too").isEqualTo(EPOCH);
        table.freeze(0);
        assertThat(table.silentTo(now)).isEqualTo(EPOCH);
    }

    @Test
    void theLowestReportIsTheWatermark() {
        long now = EPOCH + SECOND;
        report("one", now, now);
        report("two", now - 7, now);
        assertThat(table.silentTo(now)).isEqualTo(now - 7);
        assertThat(table.absentTo(RULES, now)).isEqualTo(now - 7);
        report("two", now - 9, now);
        assertThat(table.silentTo(now)).as("a late call takes nothing back").isEqualTo(now - 7);
    }

    @Test
    void placesWaitForASilentNodeForTheTimeOfPatience() {
        report("one", EPOCH, EPOCH);
        report("two", EPOCH + 1, EPOCH + 1);
        long end = EPOCH + 1 + PATIENT;
        reportRegularly(EPOCH, end);
        report("one", end - 1, end - 1);
        assertThat(table.absentTo(RULES, end - 1)).isEqualTo(EPOCH + 1);
        report("one", end, end);
        assertThat(table.absentTo(RULES, end)).as("without the silent node").isEqualTo(end);
        assertThat(table.silentTo(end)).as("passes still wait").isEqualTo(EPOCH + 1);
    }

    @ParameterizedTest
    @CsvSource({"2_000_000, false", "2_000_001, true"})
    void theTimeOfPatienceStartsAgainAfterAnOutage(String gap, boolean outage) {
        long resumed = EPOCH + PATIENT - SECOND + Long.parseLong(gap.replace("_", ""));
        report("two", EPOCH, EPOCH);
        reportRegularly(EPOCH, EPOCH + PATIENT - SECOND);
        report("one", resumed, resumed);
        assertThat(table.absentTo(RULES, resumed)).isEqualTo(outage ? EPOCH + 1 : resumed);
    }

    @ParameterizedTest
    @CsvSource({"2_000_000, false", "2_000_001, true"})
    void theTimeOfPatienceStartsAgainWhenANodeReportsAnOutageOfItsOwn(String age, boolean outage) {
        long now = EPOCH + PATIENT + 2 * SECOND;
        report("two", EPOCH, EPOCH);
        reportRegularly(EPOCH, now);
        long reported = now - Long.parseLong(age.replace("_", ""));
        report("back", reported, now);
        report("one", now, now);
        assertThat(table.absentTo(RULES, now)).isEqualTo(outage ? EPOCH + 1 : reported);
    }

    @Test
    void placesWaitForASilentNodeForTheTimeOfPatienceAfterAnOutage() {
        long resumed = EPOCH + PATIENT - SECOND;
        long end = resumed + PATIENT;
        report("two", EPOCH, EPOCH);
        reportRegularly(resumed, end);
        assertThat(table.absentTo(RULES, end - 1)).isEqualTo(EPOCH + 1);
        assertThat(table.absentTo(RULES, end)).as("without the silent node").isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource({"250_000, true", "250_001, false"})
    void aCallWithinAQuarterSecondOfTheLastOneInterruptsNoOutage(String sinceLast, boolean outage) {
        long last = EPOCH + PATIENT - SECOND;
        long call = last + Long.parseLong(sinceLast.replace("_", ""));
        long resumed = last + 2 * SECOND + 1;
        report("two", EPOCH, EPOCH);
        reportRegularly(EPOCH, last);
        report("one", call, call);
        report("one", resumed, resumed);
        assertThat(table.absentTo(RULES, resumed)).isEqualTo(outage ? EPOCH + 1 : resumed);
    }

    @ParameterizedTest
    @CsvSource({"250_000, false", "250_001, true"})
    void aNodesOwnOutageWithinAQuarterSecondBelongsToTheOutageBefore(String sinceResumed, boolean another) {
        long resumed = EPOCH + PATIENT - SECOND;
        long returned = resumed + Long.parseLong(sinceResumed.replace("_", ""));
        long end = resumed + PATIENT;
        report("two", EPOCH, EPOCH);
        report("one", resumed, resumed);
        report("back", returned - 3 * SECOND, returned);
        reportRegularly(resumed + SECOND / 2, end);
        assertThat(table.absentTo(RULES, end)).isEqualTo(another ? EPOCH + 1 : end);
    }

    @Test
    void aNodeIsForgottenAMinuteAfterItsLastPass() {
        report("two", EPOCH + 1, EPOCH + 1);
        report("one", EPOCH + FORGOTTEN, EPOCH + FORGOTTEN);
        assertThat(table.size()).isEqualTo(2);
        report("one", EPOCH + FORGOTTEN + 1, EPOCH + FORGOTTEN + 1);
        assertThat(table.size()).isOne();
    }

    @ParameterizedTest
    @CsvSource({"5_000_000, 3", "5_000_001, 2"})
    void oneSilentNodeIsDroppedIfThereAreMoreNodesThanReplicas(String silence, int nodes) {
        long now = EPOCH + 1 + Long.parseLong(silence.replace("_", ""));
        for (String node : List.of("one", "two", "three")) {
            long reported = node.equals("one") ? EPOCH + 1 : now;
            table.report(new RoomReport(node, EPOCH, reported, 2, 2), EPOCH, RULES, reported);
        }
        assertThat(table.size()).isEqualTo(nodes);
    }

    @ParameterizedTest
    @CsvSource({"5_000_000, 3", "5_000_001, 2"})
    void besidesAForgottenNodeOnlyASilentOneIsDropped(String silence, int nodes) {
        long now = EPOCH + 1 + FORGOTTEN;
        long last = now - Long.parseLong(silence.replace("_", ""));
        report("forgotten", EPOCH + 1, EPOCH + 1);
        report("one", last, last);
        report("two", now - 1, now - 1);
        assertThat(table.size()).isEqualTo(3);
        table.report(new RoomReport("three", EPOCH, now, 2, 2), EPOCH, RULES, now);
        assertThat(table.size()).isEqualTo(nodes);
    }

    @Test
    void noNodeIsOneTooManyWhileTheNumberOfReplicasIsUnknown() {
        long now = EPOCH + 7 * SECOND;
        report("one", EPOCH + 1, EPOCH + 1);
        table.report(new RoomReport("two", EPOCH, now, 2, 0), EPOCH, RULES, now);
        assertThat(table.size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"0, 3, 3", "2, 3, 2", "5, 3, 3"})
    void aFrozenRoomWaitsForTheNodesOfItsFormerMemory(int peers, int replicas, int awaited) {
        long now = EPOCH + SECOND;
        table.freeze(EPOCH + 60 * SECOND);
        for (int i = 1; i <= awaited; i++) {
            assertThat(table.frozen(now)).as("%d of %d", i, awaited).isTrue();
            table.report(new RoomReport("n" + i, EPOCH - 1, now, peers, replicas), EPOCH, RULES, now);
            assertThat(table.frozen(now)).as("before the report of %d", i).isTrue();
            table.report(new RoomReport("n" + i, EPOCH, now, peers, replicas), EPOCH, RULES, now);
        }
        assertThat(table.frozen(now)).isFalse();
    }

    @Test
    void aFreezeEndsByItself() {
        table.freeze(EPOCH + 5);
        assertThat(table.frozen(EPOCH + 4)).isTrue();
        assertThat(table.silentTo(EPOCH + 4)).isZero();
        assertThat(table.frozen(EPOCH + 5)).isFalse();
    }
}
