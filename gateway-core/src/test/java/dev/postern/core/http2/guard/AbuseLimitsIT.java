package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.ACK;
import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.PRIORITY;
import static dev.postern.core.testing.FrameClient.PUSH_PROMISE;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.http2.FrameTable;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import dev.postern.core.testing.flood.Floods;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that frames that cost the gateway more than the client are counted, and that a client past a limit receives GOAWAY with its name. */
@ExtendWith(LeakExtension.class)
class AbuseLimitsIT {

    private static final Rate TEN = Rate.of("10/h");
    private static final Http1Limits LIMITS = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);
    private static final Http2Limits FEW =
            new Http2Limits(4, ByteSize.of("64KiB"), ByteSize.of("4KiB"), 5, Duration.ofMillis(300), TEN, TEN, TEN);
    private static final String HOLD = FrameTable.HOLD;

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        Behaviour big = Behaviour.ok("x".repeat(200_000));
        origin.behave((request, socket) -> {
            if (!request.line().contains(HOLD)) {
                big.response(request, socket);
            }
        });
        gateway = new CoreGateway(Setup.of(origin.address()).limits(LIMITS).http2(FEW));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    record Flood(AbuseLimit limit, int[] settings, Consumer<FrameClient> client) {

        @Override
        public String toString() {
            return limit.label();
        }
    }

    private static Flood flood(AbuseLimit limit, Consumer<FrameClient> client) {
        return new Flood(limit, new int[0], client);
    }

    static List<Flood> floods() {
        return List.of(
                flood(AbuseLimit.RESETS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, HOLD).reset(id);
                    }
                }),
                flood(AbuseLimit.FAULTS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, HOLD).window(id, 0);
                    }
                }),
                flood(AbuseLimit.FAULTS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, "/", "X-Up", "a");
                    }
                }),
                flood(AbuseLimit.SETTINGS, c -> repeat(11, i -> c.frame(SETTINGS, 0, 0, new byte[0]))),
                flood(AbuseLimit.PINGS, c -> repeat(11, i -> c.frame(PING, 0, 0, new byte[8]))),
                flood(AbuseLimit.SETTINGS, c -> repeat(11, i -> c.frame(SETTINGS, ACK, 0, new byte[0]))),
                flood(AbuseLimit.PINGS, c -> repeat(11, i -> c.frame(PING, ACK, 0, new byte[8]))),
                flood(AbuseLimit.GOAWAYS, c -> repeat(11, i -> c.frame(GOAWAY, 0, 0, new byte[8]))),
                flood(AbuseLimit.GOAWAYS, c -> {
                    c.get(1, HOLD);
                    repeat(11, i -> c.frame(GOAWAY, 0, 0, new byte[16_000]));
                }),
                flood(AbuseLimit.LATE_FRAMES, c -> {
                    c.post(1, "/", "X-Up", "a").outcome(1);
                    c.bytes(many(20_001, FrameClient.raw(DATA, END_STREAM, 1, new byte[1])));
                }),
                flood(AbuseLimit.LATE_FRAMES, c -> {
                    c.post(1, "/", "X-Up", "a").outcome(1);
                    byte[] block = FieldBlock.of("x-a", "b");
                    c.bytes(many(20_001, FrameClient.raw(HEADERS, END_HEADERS | END_STREAM, 1, block)));
                }),
                flood(AbuseLimit.RESETS, c -> {
                    c.get(1, "/").window(0, 200_000).window(1, 200_000).response(1);
                    repeat(11, i -> c.reset(1));
                }),
                flood(AbuseLimit.WINDOW_UPDATES, c -> {
                    c.get(1, "/").window(0, 200_000).window(1, 200_000).response(1);
                    repeat(5_000, i -> c.window(1, 1));
                }),
                flood(AbuseLimit.EMPTY_FRAMES, c -> {
                    c.post(1, HOLD);
                    repeat(11, i -> c.data(1, false, ""));
                }),
                flood(AbuseLimit.EMPTY_FRAMES, c -> {
                    c.post(1, HOLD);
                    repeat(11, i -> c.frame(DATA, FrameClient.PADDED, 1, new byte[] {2, 0, 0}));
                }),
                flood(
                        AbuseLimit.PRIORITIES,
                        c -> repeat(101, i -> c.frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 1}))),
                flood(AbuseLimit.UNKNOWN_FRAMES, c -> repeat(101, i -> c.frame(0x42, 0, 0, new byte[3]))),
                flood(AbuseLimit.WINDOW_UPDATES, c -> repeat(1001, i -> c.window(0, 1))),
                flood(AbuseLimit.CONTINUATIONS, c -> {
                    c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/")));
                    repeat(6, i -> c.frame(CONTINUATION, 0, 1, FieldBlock.of("x-a" + i, "b")));
                }),
                flood(AbuseLimit.FIELD_BLOCK, c -> {
                    String[] large = new String[] {"x-a", "y".repeat(16_350)};
                    c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(large));
                    repeat(3, i -> c.frame(CONTINUATION, 0, 1, FieldBlock.of("x-b", "y".repeat(16_370))));
                    c.frame(CONTINUATION, END_HEADERS, 1, FieldBlock.of("x-b", "y".repeat(16_370)));
                }),
                flood(
                        AbuseLimit.FIELD_SECTION,
                        c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, Floods.bombBlock(true))),
                // One stream uses the connection's window of 65535, which never opens again.
                new Flood(AbuseLimit.WINDOW_TIMEOUT, new int[] {4, 1 << 20}, c -> c.get(1, "/")));
    }

    /** Uses a separate gateway, whose deadline is shorter than a pause of a busy machine. */
    @Test
    void closesAConnectionWhoseHeadTakesTooLong() {
        byte[] whole = FrameClient.raw(HEADERS, END_STREAM | END_HEADERS, 1, FieldBlock.of(request("GET", "/")));
        List<byte[]> heads = List.of(
                FrameClient.raw(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/"))),
                FrameClient.raw(PUSH_PROMISE, 0, 1, numbers(2)),
                Arrays.copyOf(whole, whole.length - 1));
        Http1Limits hasty = new Http1Limits(
                16 * 1024, 64 * 1024, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);
        try (CoreGateway strict =
                new CoreGateway(Setup.of(origin.address()).limits(hasty).http2(FEW))) {
            for (byte[] head : heads) {
                try (FrameClient client = FrameClient.connect(strict.port())) {
                    client.await(SETTINGS);
                    client.bytes(head);
                    assertEnded(client, AbuseLimit.HEAD_TIMEOUT);
                }
            }
            assertThat(strict.budgets()).hasSize(heads.size()).containsOnly(AbuseLimit.HEAD_TIMEOUT);
        }
    }

    private static byte[] many(int n, byte[] frame) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        repeat(n, i -> all.writeBytes(frame));
        return all.toByteArray();
    }

    private static void repeat(int n, Consumer<Integer> step) {
        for (int i = 0; i < n; i++) {
            step.accept(i);
        }
    }

    @ParameterizedTest
    @MethodSource("floods")
    void closesTheConnectionWithTheLimitsName(Flood flood) {
        int budgetsBefore = gateway.budgets().size();
        try (FrameClient client = FrameClient.connect(gateway.port(), flood.settings())) {
            flood.client().accept(client);

            assertEnded(client, flood.limit());
        }
        assertThat(gateway.budgets().subList(budgetsBefore, gateway.budgets().size()))
                .containsExactly(flood.limit());
    }

    private static void assertEnded(FrameClient client, AbuseLimit limit) {
        Frame end = client.await(GOAWAY);
        assertThat(end.error()).isEqualTo("ENHANCE_YOUR_CALM");
        assertThat(end.debug()).isEqualTo(limit.label());
        assertThat(client.closedByPeer()).isTrue();
    }

    @Test
    void refusesOneStreamTooMany() {
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, HOLD)
                    .get(3, HOLD)
                    .get(5, HOLD)
                    .get(7, HOLD)
                    .post(9, HOLD)
                    .data(9, true, "on its way");
            assertThat(client.outcome(9)).isEqualTo("RST REFUSED_STREAM");
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            client.reset(1).get(11, "/").window(0, 200_000).window(11, 200_000);
            assertThat(client.response(11).status()).isEqualTo("200");
        }
    }

    @Test
    void resetsAStreamWhoseWindowStaysClosed() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 0)) {
            client.get(1, "/");
            assertThat(client.outcome(1)).isEqualTo("200 RST CANCEL");
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void closesAConnectionThatIsNotReadDespiteOpenWindows() {
        TestOrigin large = new TestOrigin();
        large.behave(Behaviour.ok("x".repeat(24_000_000))); // more than the capacity of the sockets between
        try (CoreGateway other =
                        new CoreGateway(Setup.of(large.address()).limits(LIMITS).http2(FEW));
                FrameClient client = FrameClient.connect(other.port(), 4, 1 << 30)) {
            client.await(SETTINGS); // and acknowledges, else the connection would be closed for that
            client.window(0, 1 << 30).get(1, "/");
            await().until(() -> !other.budgets().isEmpty());
            assertThat(other.budgets()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
            await().until(() -> other.server().connections() == 0);
            assertThat(other.metrics().closed(Why.STALLED)).isZero();
        } finally {
            large.close();
        }
    }

    @Test
    void limitsTheDynamicTable() {
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            assertThat(client.await(SETTINGS).payload())
                    .containsSequence(FrameClient.settings(1, 4096))
                    .containsSequence(FrameClient.settings(3, 4))
                    .containsSequence(FrameClient.settings(6, 16 * 1024));
            assertThat(numbers(0)).hasSize(4);
        }
    }

    /** The attacker sends ten times what the limit of a minute is; the other client sends what one that leaves sends. */
    @Test
    void servesOthersBesideAFlood() {
        try (CoreGateway ordinary = new CoreGateway(Setup.of(origin.address()).limits(LIMITS));
                FrameClient attacker = FrameClient.connect(ordinary.port());
                FrameClient honest = FrameClient.connect(ordinary.port(), 4, 1 << 20)) {
            honest.get(1, "/").window(0, 200_000);
            attacker.bytes(many(6_000, FrameClient.raw(GOAWAY, 0, 0, new byte[8])));
            assertThat(honest.response(1).length()).isEqualTo(200_000);
            assertEnded(attacker, AbuseLimit.GOAWAYS);
            honest.get(3, "/")
                    .window(0, 200_000)
                    .frame(GOAWAY, 0, 0, new byte[8])
                    .frame(GOAWAY, 0, 0, new byte[8]);
            assertThat(honest.response(3).length()).isEqualTo(200_000);
            assertThat(ordinary.budgets()).containsExactly(AbuseLimit.GOAWAYS);
        }
    }

    @Test
    void keepsOrdinaryClients() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 101; id += 2) {
                client.get(id, "/").window(0, 200_000);
                assertThat(client.response(id).length()).isEqualTo(200_000);
            }
        }
    }
}
