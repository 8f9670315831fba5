package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the pitfalls of spymemcached and of memcached, each on its own server. */
@Tag("faults")
@Tag("long")
class MemcachedPitfallsIT {

    private static final List<String> COMMANDS = List.of("add ", "gets ", "set ", "stats");
    private static final int LONE_SPEND =
            "add one:1:".length() + 22 + " 0 602 16\r\n".length() + 16 + 2 + "gets one:1:epoch\r\n".length();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private static final Duration BRIEF = Duration.ofMillis(50);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestRedemptions tokens = new TestRedemptions(7, InstantSource.system());
    final ServerProcess server = ServerProcess.memcached(64);
    private @Nullable SpendLedger opened;

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        if (opened != null) {
            opened.close();
        }
        server.close();
    }

    @Test
    void respondsAtTheDeadlineWhenTheServerIsFrozen() {
        SpendLedger ledger = open(Duration.ofSeconds(1), server);
        server.freeze();

        int many = 3 * connections() * MemcachedConnection.MAX_IN_FLIGHT;
        List<PendingSpend> spends = all(ledger, many);

        assertThat(spends).hasSize(many).allMatch(a -> a.result() == SpendResult.UNKNOWN);
        double lost = events("connection-lost");
        assertThat(events("recreated"))
                .as("of %s connections, each was given up by the ledger, none by its client", lost)
                .isGreaterThanOrEqualTo(lost);

        server.thaw();
        awaitFresh(ledger);
    }

    @Test
    void isBusyAtTheLimitOfSpendsInFlight() {
        SpendLedger ledger = open(Duration.ofSeconds(10), server);
        EventLoop loop = LOOPS.next();
        Redemption token = tokens.next();
        MemcachedConnection connection = Objects.requireNonNull(((MemcachedLedger) ledger)
                .servers()
                .handle(0, token.key(), loop)
                .readyConnection());

        int entered = SpendEventLoops.await(CompletableFuture.supplyAsync(() -> enterAll(connection), loop));
        assertThat(entered).isEqualTo(MemcachedConnection.MAX_IN_FLIGHT);
        assertThat(SpendEventLoops.await(LOOPS.begin(ledger, token, loop)).busy())
                .isTrue();

        loop.execute(connection::leave);
        assertThat(SpendEventLoops.await(LOOPS.begin(ledger, token, loop)).result())
                .isEqualTo(SpendResult.FRESH);
    }

    private static int enterAll(MemcachedConnection connection) {
        int entered = 0;
        while (connection.enter()) {
            entered++;
        }
        return entered;
    }

    @Test
    void sendsNothingWhileItsBreakerIsOpen() {
        SpendLedger ledger = open(BRIEF, server);
        long setsBefore = MemcachedText.stat(server, "cmd_set");
        long begun = System.nanoTime();
        server.freeze();
        for (int i = 0; i < 20; i++) {
            all(ledger, 20);
        }
        server.thaw();
        awaitFresh(ledger);

        // Of 400 spends, these reached the server: failures that opened the breaker, and 16 probes each half second.
        long probes = 16 * ((System.nanoTime() - begun) / 500_000_000);
        assertThat(MemcachedText.stat(server, "cmd_set") - setsBefore).isLessThan(connections() * (32 + probes) + 50);
    }

    @Test
    void closesItsBreakerWithoutASpendWhenTheServerRecovers() {
        SpendLedger ledger = open(BRIEF, server);
        server.freeze();
        all(ledger, 40 * connections());
        assertThat(ledger.health().stores().toString()).doesNotContain("breaker closed");

        server.thaw();

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(ledger.health().stores().toString()).contains("verified, breaker closed"));
    }

    @Test
    void refundsSpendsThatAFrozenServerStoredTooLate() {
        SpendLedger ledger = open(BRIEF, server);
        Redemption token = tokens.next();
        Redemption kept = tokens.next();
        server.freeze();
        PendingSpend pendingSpend = LOOPS.attempt(ledger, token);
        PendingSpend other = LOOPS.attempt(ledger, kept);
        assertThat(pendingSpend.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(other.result()).isEqualTo(SpendResult.UNKNOWN);
        LOOPS.refund(ledger, pendingSpend);

        server.thaw();

        awaitEvents("given-back", 1);
        awaitFresh(ledger);
        try (SpendLedger patient = opened(Duration.ofSeconds(10), server)) {
            awaitFresh(patient);
            assertThat(LOOPS.spend(patient, token)).isEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(patient, kept)).isEqualTo(SpendResult.SPENT);
        }
        assertThat(registry.counter("postern.ledger.late").count()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void createsANewClientWhenTheOldOneGetsNoResponses() {
        SpendLedger ledger = open(BRIEF, server);
        server.freeze();

        awaitEvents("recreated", 2);
        server.thaw();

        awaitFresh(ledger);
    }

    @Test
    void createsANewClientWhenTheInputOutputThreadDied() {
        SpendLedger ledger = open(Duration.ofSeconds(2), server);
        MemcachedConnection connection = ((MemcachedLedger) ledger)
                .servers()
                .handle(0, new byte[16], LOOPS.next())
                .readyConnection();
        assertThat(connection).isNotNull();
        long deadline = Ticker.systemTicker().nanoTime() + Duration.ofSeconds(5).toNanos();
        connection.send(new GetsCommand(MemcachedEncoding.gets(new byte[] {'x'}), deadline, response -> {
            throw new AssertionError("planted: the library lets errors end its thread");
        }));

        awaitEvents("recreated", 1);
        awaitFresh(ledger);
    }

    @Test
    void connectsToAServerThatStartsLater() {
        server.kill();
        SpendLedger ledger = open(BRIEF, server);
        assertThat(ledger.health().healthy()).isFalse();
        assertThat(LOOPS.spend(ledger, tokens.next())).isEqualTo(SpendResult.UNKNOWN);

        server.start();

        awaitFresh(ledger);
        Awaitility.await().until(() -> ledger.health().healthy());
    }

    @Test
    void isUnknownAndStaysConnectedWhenTheServerIsFull() {
        server.close();
        try (ServerProcess small = ServerProcess.memcached(2)) {
            small.start();
            SpendLedger ledger = open(Duration.ofSeconds(5), small);
            List<Redemption> fresh = new ArrayList<>();
            int full = 0;
            for (int i = 0; i < 200_000 && full < 100; i++) {
                Redemption token = tokens.next();
                PendingSpend pendingSpend = LOOPS.attempt(ledger, token);
                assertThat(pendingSpend.busy()).isFalse();
                SpendResult result = pendingSpend.result();
                if (result == SpendResult.FRESH) {
                    fresh.add(token);
                }
                full += result == SpendResult.UNKNOWN ? 1 : 0;
            }

            assertThat(full).isEqualTo(100);
            assertThat(fresh.subList(0, 200))
                    .allSatisfy(token -> assertThat(LOOPS.spend(ledger, token)).isNotEqualTo(SpendResult.FRESH));
            assertThat(events("connection-lost")).isZero();
        }
    }

    @Test
    void releasesThePermitOfEachSpend() {
        SpendLedger ledger = open(Duration.ofSeconds(5), server);
        for (int i = 0; i < 6; i++) {
            assertThat(all(ledger, connections() * MemcachedConnection.MAX_IN_FLIGHT / 4))
                    .noneMatch(PendingSpend::busy);
        }
    }

    @Test
    void changesItsEpochWhenTheServerEvictsTokens() {
        server.close();
        try (ServerProcess forgetful = evicting()) {
            forgetful.start();
            SpendLedger ledger = open(Duration.ofSeconds(5), forgetful);
            byte[] oldEpoch = ledger.epoch();
            Redemption first = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, first)).isEqualTo(SpendResult.FRESH);

            while (MemcachedText.stat(forgetful, "evictions") == 0) {
                all(ledger, 500);
            }

            Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(oldEpoch));
            assertThat(LOOPS.spend(ledger, first)).isNotEqualTo(SpendResult.FRESH);
            // Detected by the statistics, or by the eviction of the marker itself.
            assertThat(events("evicted") + events("memory-lost")).isPositive();
            MemcachedText.ask(forgetful, "flush_all");
            awaitFresh(ledger);
        }
    }

    /** Between two checks of its statistics, such a server evicts a whole window. */
    @Test
    void acceptsNoTokenThatAFullServerEvicted() {
        server.close();
        try (ServerProcess forgetful = evicting()) {
            forgetful.start();
            SpendLedger ledger = open(Duration.ofSeconds(5), forgetful);
            for (int i = 0; i < 5; i++) {
                Redemption token = awaitSpent(ledger);

                MemcachedText.fill(forgetful, 60_000);

                assertThat(MemcachedText.holds(forgetful, "trap", token.key())).isFalse();
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.UNKNOWN);
                MemcachedText.ask(forgetful, "flush_all");
            }
        }
    }

    @Test
    void changesItsEpochWhenTheServerIsFlushed() {
        SpendLedger ledger = open(Duration.ofSeconds(5), server);
        byte[] oldEpoch = ledger.epoch();
        Redemption token = tokens.issuedBy(ledger);
        assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);

        MemcachedText.ask(server, "flush_all");

        Awaitility.await().untilAsserted(() -> assertThat(ledger.epoch()).isNotEqualTo(oldEpoch));
        assertThat(LOOPS.spend(ledger, token)).isNotEqualTo(SpendResult.FRESH);
        awaitFresh(ledger);
    }

    @Test
    void neverReplacesAFailedServerByAnother() {
        try (ServerProcess second = ServerProcess.memcached(64)) {
            second.start();
            SpendLedger ledger = open(Duration.ofSeconds(5), server, second);
            List<Redemption> spent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                spent.add(tokens.next());
                assertThat(LOOPS.spend(ledger, spent.get(i))).isEqualTo(SpendResult.FRESH);
            }
            long kept = heldBy(second, spent);
            assertThat(kept).isBetween(20L, 180L);

            server.kill();

            assertThat(spent)
                    .extracting(token -> LOOPS.spend(ledger, token))
                    .containsOnly(SpendResult.SPENT, SpendResult.UNKNOWN)
                    .filteredOn(SpendResult.SPENT::equals)
                    .hasSize((int) kept);
            assertThat(heldBy(second, spent)).isEqualTo(kept);
        }
    }

    private static long heldBy(ServerProcess server, List<Redemption> spent) {
        return spent.stream()
                .filter(token -> MemcachedText.holds(server, "trap", token.key()))
                .count();
    }

    @Test
    void sendsEachSingleCommandInOneWrite() {
        try (TcpProxy proxy = new TcpProxy(server)) {
            SpendLedger ledger = SpendLedgers.open(
                    MemcachedTestSettings.of(client(), proxy.address()),
                    new LedgerEnvironment("one", registry, InstantSource.system(), Ticker.systemTicker(), LOOPS.all()));
            opened = ledger;
            Awaitility.await().until(() -> ledger.health().healthy());
            for (int i = 0; i < 200; i++) {
                assertThat(LOOPS.spend(ledger, tokens.next())).isEqualTo(SpendResult.FRESH);
            }

            // The same connections also check markers, sometimes in one write with a spend.
            assertThat(String.join("", proxy.reads()).split("add one:1:[\\w-]{22} 0 60\\d 16\r\n", -1))
                    .hasSize(200 + 1);
            assertThat(proxy.reads())
                    .allSatisfy(read -> assertThat(read)
                            .matches(whole -> COMMANDS.stream().anyMatch(whole::startsWith))
                            .endsWith("\r\n"))
                    .filteredOn(read -> read.length() == LONE_SPEND)
                    .hasSizeGreaterThan(180);
            assertThat(proxy.reads()).noneMatch(read -> read.startsWith("get "));
        }
    }

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }

    /** Returns the number of connections to each server. */
    protected int connections() {
        return 1;
    }

    protected final SpendLedger open(Duration deadline, ServerProcess... servers) {
        SpendLedger ledger = opened(deadline, servers);
        opened = ledger;
        return ledger;
    }

    private SpendLedger opened(Duration deadline, ServerProcess... servers) {
        String[] addresses = new String[servers.length];
        for (int i = 0; i < servers.length; i++) {
            addresses[i] = servers[i].address();
        }
        SpendLedger ledger = SpendLedgers.open(
                MemcachedTestSettings.of(client(), deadline, addresses),
                new LedgerEnvironment("trap", registry, InstantSource.system(), Ticker.systemTicker(), LOOPS.all()));
        if (Arrays.stream(servers).allMatch(ServerProcess::started)) {
            Awaitility.await().until(() -> ledger.health().healthy());
        }
        return ledger;
    }

    private List<PendingSpend> all(SpendLedger ledger, int count) {
        List<CompletableFuture<PendingSpend>> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(LOOPS.begin(ledger, tokens.next()));
        }
        return begun.stream().map(SpendEventLoops::await).toList();
    }

    protected final void awaitFresh(SpendLedger ledger) {
        awaitSpent(ledger);
    }

    /** Returns a token that was FRESH; each connection must verify its marker before. */
    private Redemption awaitSpent(SpendLedger ledger) {
        AtomicReference<Redemption> spent = new AtomicReference<>();
        Awaitility.await().untilAsserted(() -> {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            spent.set(token);
        });
        return Objects.requireNonNull(spent.get());
    }

    private void awaitEvents(String event, int count) {
        Awaitility.await().untilAsserted(() -> assertThat(events(event)).isGreaterThanOrEqualTo(count));
    }

    private double events(String event) {
        return registry.counter("postern.ledger.events", "event", event).count();
    }

    /** Returns a memcached of 2 MiB that evicts. */
    private static ServerProcess evicting() {
        return new ServerProcess(
                "memcached",
                ServerProcess.freePort(),
                "-l",
                "127.0.0.1",
                "-p",
                "{port}",
                "-U",
                "0",
                "-u",
                "nobody",
                "-m",
                "2");
    }
}
