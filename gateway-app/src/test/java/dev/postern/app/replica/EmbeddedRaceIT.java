package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.config.ByteSize;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestOrigin;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests one token over 64 connections to one gateway with an embedded ledger; the gateway is killed, and its memory becomes full. */
@Tag("faults")
@Tag("long")
class EmbeddedRaceIT {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRaceIT.class);
    private static final int SMALLEST = 1 << 20;

    private final TestOrigin origin = new TestOrigin();

    @TempDir
    private Path folder;

    private Path ring;
    private Path journal;

    @BeforeEach
    void begin() throws IOException {
        ring = Replicas.ring(folder);
        journal = folder.resolve("journal");
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private GatewayProcess gateway(String embedded) throws IOException {
        String ledger = "{store: embedded, deadline: " + RacedStore.DEADLINE + ", embedded: {" + embedded + "}}";
        return new GatewayProcess("one", Replicas.yaml(1, ring, origin.address(), ledger), folder).awaitReady();
    }

    private String journaled() {
        return "journal: \"" + journal + "\"";
    }

    @Test
    void acceptsOneRequest() throws IOException {
        try (GatewayProcess gateway = gateway("");
                Race race = new Race(origin).connect(List.of(gateway.port()))) {
            acceptsOneInEach(race, RaceRounds.ROUNDS);
            race.offerAllAgain();
        }
    }

    @Test
    void acceptsNoTokenAgainAfterItWasKilled() throws IOException {
        try (GatewayProcess killed = gateway(journaled());
                Race race = new Race(origin).connect(List.of(killed.port()))) {
            acceptsOneInEach(race, RaceRounds.ROUNDS);
            race.spendOnce(20);
            race.killed(killed::kill);
            try (GatewayProcess next = gateway(journaled())) {
                race.connect(List.of(next.port()));
                race.offerAllAgain();
                acceptsOneInEach(race, RaceRounds.HEALED_ROUNDS);
                race.offerAllAgain();
            }
        }
    }

    @Test
    void neverAcceptsTwoWhenItIsFullAndRecoversWithMoreMemory() throws IOException {
        fillExceptForAFew();
        try (GatewayProcess full = gateway(journaled() + ", max-memory: 1MiB");
                Race race = new Race(origin).connect(List.of(full.port()))) {
            int rounds = 3 * RaceRounds.ROUNDS;
            long won = IntStream.range(0, rounds)
                    .filter(i -> race.fresh().accepted())
                    .count();
            LOG.info("full: {} of {} rounds have a winner", won, rounds);
            assertThat(won).as("rounds with an accepted request").isBetween(1L, rounds - 1L);
            full.kill();
            try (GatewayProcess larger = gateway(journaled())) {
                race.connect(List.of(larger.port()));
                race.offerAllAgain();
                acceptsOneInEach(race, RaceRounds.HEALED_ROUNDS);
                race.offerAllAgain();
            }
        }
    }

    private static void acceptsOneInEach(Race race, int rounds) {
        for (int i = 0; i < rounds; i++) {
            assertThat(race.fresh().statuses()).containsOnly(200, 401).containsOnlyOnce(200);
        }
    }

    /**
     * Spends tokens in the gateway's journal before the gateway opens it. Each end has its own array in each shard, so that few tokens fill
     * the memory.
     */
    private void fillExceptForAFew() {
        EventLoop loop = new DefaultEventLoop();
        try (SpendLedger ledger = SpendLedgers.open(
                settings(),
                new LedgerEnvironment(
                        "race",
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        Ticker.systemTicker(),
                        List.of(loop)))) {
            for (int end = 0; end < 15; end++) {
                spend(ledger, loop, end, 1_500);
            }
            while (usedKiB(ledger) < 1_012) {
                spend(ledger, loop, 15, 16);
            }
        } finally {
            loop.shutdownGracefully();
        }
    }

    private static void spend(SpendLedger ledger, EventLoop loop, int end, int tokens) {
        // Far enough apart that no two are rounded to the same end.
        Instant deadline = Instant.now().plus(Duration.ofMinutes(60 + 16 * end));
        List<CompletableFuture<SpendResult>> responses = new ArrayList<>();
        for (int i = 0; i < tokens; i++) {
            byte[] key = new byte[Redemption.KEY_LENGTH];
            ThreadLocalRandom.current().nextBytes(key);
            CompletableFuture<SpendResult> response = new CompletableFuture<>();
            loop.execute(() -> ledger.spend(
                    new Redemption(key, deadline), loop, pendingSpend -> response.complete(pendingSpend.result())));
            responses.add(response);
        }
        responses.forEach(CompletableFuture::join);
    }

    private static long usedKiB(SpendLedger ledger) {
        String state = Objects.requireNonNull(ledger.health().stores().get("embedded"));
        return Long.parseLong(state.substring(0, state.indexOf(' ')));
    }

    private LedgerSettings settings() {
        return KeyDefaults.of(
                LedgerSettings.class,
                Map.of(
                        "deadline",
                        Duration.ofSeconds(5),
                        "embedded",
                        new LedgerSettings.Embedded(new ByteSize(SMALLEST), journal)));
    }
}
