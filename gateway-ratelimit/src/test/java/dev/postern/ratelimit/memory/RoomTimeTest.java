package dev.postern.ratelimit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.ManualClock;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequests;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.RoomClock;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests rooms and limits in memory while the clock of the host steps and drifts and the process is paused. */
class RoomTimeTest {

    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final int ACTIVE = 3;
    private static final int PEOPLE = 28;
    private static final Gcra EACH_SECOND = new Gcra(SECOND, 2 * SECOND);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final ManualClock wall = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final RoomShard shard = new RoomShard(new RoomClock(ticker, wall));

    private static RoomKey room(long opens) {
        Gcra hourly = new Gcra(HOUR, 0);
        return new RoomKey(
                "site",
                "site",
                new RoomRules(ACTIVE, 60 * SECOND, 10 * SECOND, 20 * SECOND, 20 * SECOND, 100, hourly, opens));
    }

    private void pause(long micros) {
        ticker.advance(micros, TimeUnit.MICROSECONDS);
        step(micros);
    }

    private void step(long micros) {
        wall.advance(Duration.ofNanos(1_000 * micros));
    }

    /** Lets the process run for a second. */
    private void runOneSecond() {
        for (int i = 0; i < 4; i++) {
            pause(SECOND / 4);
            shard.sweep();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-2 * HOUR, -HOUR, -600 * SECOND, HOUR, 2 * HOUR})
    void aStepDelaysNoLimitLongerThanItsInterval(long step) {
        for (int i = 0; i < 3; i++) {
            assertThat(shard.limit("k", EACH_SECOND).kind()).as("request %d", i).isEqualTo(Kind.BASE);
        }
        assertThat(shard.limit("k", EACH_SECOND).kind()).as("used up").isNotEqualTo(Kind.BASE);
        step(step);
        assertThat(shard.limit("k", EACH_SECOND).retry()).isBetween(1L, SECOND);
        runOneSecond();
        runOneSecond();
        assertThat(shard.limit("k", EACH_SECOND).kind()).isEqualTo(Kind.BASE);
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void theWallClockOpensTheRoomOnce(long step) {
        long opens = Micros.of(wall) + HOUR / 2;
        visit(room(opens), "first");
        assertThat(visit(room(opens), "early").position()).isZero();
        if (step < 0) {
            for (int i = 0; i < HOUR / 2 / SECOND; i++) {
                runOneSecond();
                visit(room(opens), "early");
            }
        } else {
            step(step);
        }
        assertThat(visit(room(opens), "early").kind()).isEqualTo(Kind.ADMITTED);
        step(-HOUR);
        assertThat(visit(room(opens), "late").kind()).as("stays open").isIn(Kind.ADMITTED, Kind.BASE);
    }

    @Test
    void jumpsPausesAndDriftChangeNeitherOrderNorBound() {
        for (int seed = 0; seed < 40; seed++) {
            List<Integer> order = new History(seed).order();
            assertThat(order)
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, PEOPLE).boxed().toList());
        }
    }

    private AdmissionDecision visit(RoomKey room, String session) {
        return shard.decide(room, AdmissionRequests.enter(session));
    }

    /** History of a room: clients arrive, wait, use their passes for some seconds and fall silent. */
    private final class History {

        private final Random random;
        private final RoomKey room;
        private final Map<Integer, Integer> using = new LinkedHashMap<>();
        private final List<Integer> waiting = new ArrayList<>();
        private final List<Integer> admitted = new ArrayList<>();

        History(int seed) {
            random = new Random(seed);
            room = new RoomKey("site", "site~" + seed, room(0).rules());
            visit(room, "base");
        }

        List<Integer> order() {
            for (int second = 0; admitted.size() < PEOPLE; second++) {
                assertThat(second).as("seconds for %s", admitted).isLessThan(1_000);
                disturb();
                useAndPoll();
                if (admitted.size() + waiting.size() < PEOPLE) {
                    arrive(admitted.size() + waiting.size());
                }
                runOneSecond();
            }
            return admitted;
        }

        private void disturb() {
            switch (random.nextInt(12)) {
                case 0 -> step(HOUR);
                case 1 -> step(-HOUR);
                case 2 -> pause(25 * SECOND);
                case 3 -> step(random.nextInt(20_000) - 10_000);
                default -> {}
            }
        }

        private void arrive(int number) {
            AdmissionDecision decision = visit(room, "s" + number);
            if (decision.kind() == Kind.ADMITTED) {
                enter(number);
            } else {
                waiting.add(number);
            }
        }

        private void enter(int number) {
            admitted.add(number);
            using.put(number, 2 + random.nextInt(6));
            assertThat(using).hasSizeLessThanOrEqualTo(ACTIVE);
        }

        private void useAndPoll() {
            using.replaceAll((number, left) -> left - 1);
            using.values().removeIf(left -> left == 0);
            for (int number : using.keySet()) {
                assertThat(shard.decide(room, AdmissionRequests.fetch("s" + number))
                                .kind())
                        .as("pass in use of %d", number)
                        .isEqualTo(Kind.ADMITTED);
            }
            for (int number : List.copyOf(waiting)) {
                AdmissionDecision decision = shard.decide(room, AdmissionRequests.poll("s" + number));
                assertThat(decision.kind()).as("place of %d", number).isIn(Kind.WAITING, Kind.ADMITTED);
                assertThat(decision.retry()).isLessThanOrEqualTo(10 * SECOND);
                assertThat(decision.room().active()).isLessThanOrEqualTo(ACTIVE);
                if (decision.kind() == Kind.ADMITTED) {
                    waiting.remove((Integer) number);
                    enter(number);
                }
            }
        }
    }
}
