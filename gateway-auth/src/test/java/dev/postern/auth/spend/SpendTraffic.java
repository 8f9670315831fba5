package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Load of a gateway on its ledgers: fresh tokens of the current epoch, and replays of accepted tokens with the epoch of their challenge,
 * without the challenge check that would stop most of them earlier.
 */
public final class SpendTraffic implements AutoCloseable {

    /** Longer than the default, since other builds may share this machine; the results do not depend on it. */
    public static final Duration DEADLINE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(SpendTraffic.class);

    /** 800 spends per second with four drivers: within reach of a new JVM on a core that it shares with other tests. */
    private static final int PER_TICK = 2;

    /**
     * Maximum number of pending spends of a driver, a quarter of what it sends within the deadline: a machine too slow for the load gets less of
     * it, instead of a queue in which no spend ends in time.
     */
    private static final int MAX_PENDING = 50;

    private static final long LATE_SECONDS = 5;

    private static final long TICK_MILLIS = 10;

    /** Unique for each traffic, so that no server receives the same tokens twice. */
    private static final AtomicLong SEEDS = new AtomicLong(1_000);

    private final List<SpendLedger> ledgers;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger responded = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final Set<ByteBuffer> accepted = ConcurrentHashMap.newKeySet();
    private final List<String> doubles = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger freshAsked = new AtomicInteger();
    private final AtomicInteger freshPassed = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private volatile boolean stopped;

    public SpendTraffic(SpendEventLoops loops, SpendLedger... ledgers) {
        this.ledgers = List.of(ledgers);
        for (int i = 0; i < 4; i++) {
            new Driver(loops.next(), SEEDS.incrementAndGet()).tick();
        }
    }

    /** Waits until 99 of 100 new tokens are accepted. */
    public void awaitPassing(String event) {
        long start = Ticker.systemTicker().nanoTime();
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(this::passes);
        LOG.info("99 of 100 pass {} ms after {}", (Ticker.systemTicker().nanoTime() - start) / 1_000_000, event);
    }

    /** Waits until that many more spends were UNKNOWN. */
    public void awaitUnknown(int count) {
        int unknownBefore = unknown.get();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> unknown.get() - unknownBefore >= count);
    }

    /** Stops; checks that no token was FRESH twice, that all spends have a result, and that no ledger threw an exception. */
    public void assertKept() {
        stop();
        Awaitility.await().untilAsserted(() -> assertThat(responded.get()).isEqualTo(begun.get()));
        assertThat(thrown).isEmpty();
        assertThat(doubles).as("tokens that were FRESH twice").isEmpty();
        assertThat(accepted).hasSizeGreaterThan(100);
        LOG.info("{} spends, {} accepted, {} unknown", begun, accepted.size(), unknown);
    }

    /**
     * Returns the number of spends without a result when a timer of five seconds ended on their event loop: a pause of the machine delays the
     * timer as much as the result.
     */
    public int late() {
        return late.get();
    }

    /** Returns whether at least 99 of the next 100 new tokens are accepted. */
    private boolean passes() {
        int askedBefore = freshAsked.get();
        int passedBefore = freshPassed.get();
        long end = Ticker.systemTicker().nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (freshAsked.get() - askedBefore < 100 && Ticker.systemTicker().nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000); // the responding thread may need this core
        }
        int total = freshAsked.get() - askedBefore;
        return total >= 100 && freshPassed.get() - passedBefore >= total - 1 - total / 100;
    }

    private void stop() {
        stopped = true;
    }

    @Override
    public void close() {
        stop();
    }

    /** Driver of one event loop; its state is confined to the loop. */
    private final class Driver {

        private final EventLoop loop;
        private final RandomGenerator random;
        private final List<Redemption> mine = new ArrayList<>();
        private int pending;

        Driver(EventLoop loop, long seed) {
            this.loop = loop;
            this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        }

        private void tick() {
            loop.schedule(
                    () -> {
                        if (!stopped) {
                            for (int i = 0; i < PER_TICK && pending < MAX_PENDING; i++) {
                                spendNext();
                            }
                            tick();
                        }
                    },
                    TICK_MILLIS,
                    TimeUnit.MILLISECONDS);
        }

        private void spendNext() {
            SpendLedger ledger = ledgers.get(random.nextInt(ledgers.size()));
            boolean replay = !mine.isEmpty() && random.nextInt(3) == 0;
            Redemption token = replay ? mine.get(random.nextInt(mine.size())) : issue(ledger);
            boolean[] ended = {false}; // on the event loop, like all of this
            begun.incrementAndGet();
            pending++;
            loop.schedule(() -> late.addAndGet(ended[0] ? 0 : 1), LATE_SECONDS, TimeUnit.SECONDS);
            try {
                ledger.spend(token, loop, spend -> {
                    ended[0] = true;
                    pending--;
                    responded.incrementAndGet();
                    note(token, replay, spend.result());
                });
            } catch (RuntimeException | Error e) {
                thrown.add(e);
            }
        }

        private Redemption issue(SpendLedger ledger) {
            byte[] key = new byte[Redemption.KEY_LENGTH];
            random.nextBytes(key);
            return new Redemption(key, Instant.now().plusSeconds(600), ledger.epoch());
        }

        private void note(Redemption token, boolean replay, SpendResult result) {
            if (!replay) {
                freshPassed.addAndGet(result == SpendResult.FRESH ? 1 : 0);
                freshAsked.incrementAndGet();
            }
            if (result == SpendResult.UNKNOWN) {
                unknown.incrementAndGet();
            } else if (result == SpendResult.FRESH) {
                if (accepted.add(ByteBuffer.wrap(token.key()))) {
                    mine.add(token);
                } else {
                    doubles.add(replay ? "replay" : "new");
                }
            }
        }
    }
}
