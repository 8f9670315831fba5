package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests one token over 64 connections to two gateways at once: exactly one request is accepted. Runs on each shared store, also while one of
 * its servers is killed, frozen, restarted empty or overfilled; two seconds afterwards the behaviour is as before.
 */
@Tag("faults")
@Tag("long")
@TestMethodOrder(MethodOrderer.MethodName.class) // healthy before faulty
abstract class SharedStoreRace {

    private static final Logger LOG = LoggerFactory.getLogger(SharedStoreRace.class);
    private static final int SPENT_ONCE = 50;
    private static final int BROKEN_ROUNDS = 5 * RaceRounds.TIMES;

    /** Longer than any fault needs to take effect; it only prevents an endless test. */
    private static final int MAX_BROKEN_ROUNDS = 1_000 + BROKEN_ROUNDS;

    /** A documented limit, so the test waits for it. */
    private static final Duration HEALING = Duration.ofSeconds(2);

    @TempDir
    private static Path folder;

    /** Never closed: suites of several stores may run in one JVM, and share this origin. */
    private static final TestOrigin ORIGIN = new TestOrigin();

    private static List<GatewayProcess> gateways = List.of();
    private static Race race = new Race(ORIGIN);

    private final RacedStore store;

    SharedStoreRace(RacedStore store) {
        this.store = store;
    }

    @BeforeParameterizedClassInvocation
    static void start(RacedStore store) throws IOException {
        store.start(folder);
        String yaml = Replicas.yaml(2, Replicas.ring(folder), ORIGIN.address(), store.ledger())
                + store.furtherConfiguration();
        gateways = List.of(new GatewayProcess("one", yaml, folder), new GatewayProcess("two", yaml, folder));
        race = new Race(ORIGIN)
                .connect(gateways.stream().map(each -> each.awaitReady().port()).toList());
    }

    @AfterParameterizedClassInvocation
    static void stop(RacedStore store) {
        race.close();
        gateways.forEach(GatewayProcess::close);
        store.close();
        assertThat(gateways).noneMatch(each -> each.log().contains("LEAK"));
    }

    @AfterEach
    void mend() {
        if (store.victim().started()) {
            store.victim().thaw();
        } else {
            store.victim().start();
        }
    }

    @Test
    void acceptsOneRequest() {
        for (int i = 0; i < RaceRounds.ROUNDS; i++) {
            assertThat(race.fresh().statuses()).containsOnly(200, 401).containsOnlyOnce(200);
        }
        race.offerAllAgain();
    }

    @ParameterizedTest
    @EnumSource
    void neverAcceptsTwoAndRecovers(Fault fault) {
        race.spendOnce(SPENT_ONCE);
        race.fresh();
        race.fresh(() -> fault.strike(store));
        if (fault.lasts()) {
            whileBroken(fault);
        }
        fault.end(store);
        store.awaitServing();
        if (fault.disconnects()) {
            whileHealing(fault);
        }
        List<String> lost = afterHealing();
        LOG.info("{}, {}: then {} of {} rounds have no winner", store, fault, lost.size(), RaceRounds.HEALED_ROUNDS);
        race.offerAllAgain();
        assertThat(lost)
                .as("rounds without an accepted request")
                .hasSizeLessThanOrEqualTo(RaceRounds.HEALED_ROUNDS / 100);
    }

    /** Returns the rounds without an accepted request, with time and statuses. */
    private List<String> afterHealing() {
        long start = System.nanoTime();
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < RaceRounds.HEALED_ROUNDS; i++) {
            Race.Round round = race.fresh();
            if (!round.accepted()) {
                lost.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms: " + round.counted());
            }
        }
        return lost;
    }

    private void whileBroken(Fault fault) {
        boolean felt = false;
        boolean spared = !store.sparedFrom(fault);
        for (int i = 0; i < BROKEN_ROUNDS || !(felt && spared); i++) {
            race.replay();
            Race.Round round = race.fresh();
            felt |= round.refused();
            spared |= felt && round.accepted();
            assertThat(i).as("rounds").isLessThan(MAX_BROKEN_ROUNDS);
        }
    }

    private void whileHealing(Fault fault) {
        long start = System.nanoTime();
        long last = start;
        while (System.nanoTime() - start < HEALING.toNanos()) {
            race.replay();
            if (!race.fresh().accepted()) {
                last = System.nanoTime();
            }
        }
        LOG.info(
                "{}, {}: last round without a winner after {} ms",
                store,
                fault,
                TimeUnit.NANOSECONDS.toMillis(last - start));
    }
}
