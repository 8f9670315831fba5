package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that frames that cost the gateway more than the client are counted, and that a client past a limit receives GOAWAY with its name. */
@ExtendWith(LeakExtension.class)
class AbuseLimitsIT {

    private static final Http1Limits LIMITS = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);
    private static final String HOLD = FrameTable.HOLD;
    private static final int LENGTH = 200_000;

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        Behaviour big = Behaviour.ok("x".repeat(LENGTH));
        origin.behave((request, socket) -> {
            if (!request.line().contains(HOLD)) {
                big.response(request, socket);
            }
        });
        gateway = new CoreGateway(Setup.of(origin.address()).limits(LIMITS).http2(FloodTable.FEW));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    static List<FloodTable.Flood> floods() {
        return FloodTable.all();
    }

    /** Uses a separate gateway, whose deadline is shorter than a pause of a busy machine. */
    @Test
    void closesAConnectionWhoseHeadTakesTooLong() {
        List<byte[]> heads = FloodTable.halfHeads();
        Http1Limits hasty = new Http1Limits(
                16 * 1024, 64 * 1024, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);
        try (CoreGateway strict =
                new CoreGateway(Setup.of(origin.address()).limits(hasty).http2(FloodTable.FEW))) {
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

    @ParameterizedTest
    @MethodSource("floods")
    void closesTheConnectionWithTheLimitsName(FloodTable.Flood flood) throws InterruptedException {
        int budgetsBefore = gateway.budgets().size();
        HonestClient honest = new HonestClient(gateway.port(), LENGTH);
        try (FrameClient client = FrameClient.connect(gateway.port(), flood.settings())) {
            flood.client().accept(client);

            assertEnded(client, flood.limit());
        }
        honest.finish();
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
            client.reset(1).get(11, "/").window(0, LENGTH).window(11, LENGTH);
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
                        new CoreGateway(Setup.of(large.address()).limits(LIMITS).http2(FloodTable.FEW));
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
            honest.get(1, "/").window(0, LENGTH);
            attacker.bytes(FloodTable.many(6_000, FrameClient.raw(GOAWAY, 0, 0, new byte[8])));
            assertThat(honest.response(1).length()).isEqualTo(LENGTH);
            assertEnded(attacker, AbuseLimit.GOAWAYS);
            honest.get(3, "/")
                    .window(0, LENGTH)
                    .frame(GOAWAY, 0, 0, new byte[8])
                    .frame(GOAWAY, 0, 0, new byte[8]);
            assertThat(honest.response(3).length()).isEqualTo(LENGTH);
            assertThat(ordinary.budgets()).containsExactly(AbuseLimit.GOAWAYS);
        }
    }

    /** Sends PINGs for what was received, as gRPC does: many more than the budget, and as many as HEADERS and DATA. */
    @Test
    void keepsAClientThatMeasuresTheConnection() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 101; id += 4) {
                client.get(id, "/").window(0, LENGTH).response(id);
                FloodTable.repeat(2, i -> client.frame(PING, 0, 0, new byte[8]));
                client.get(id + 2, "/%00"); // whose response is small, and written at once
                assertThat(client.response(id + 2).status()).isEqualTo("400");
                FloodTable.repeat(2, i -> client.frame(PING, 0, 0, new byte[8]));
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    /** Receives a response in pieces of one byte: such DATA frames earn no PINGs. */
    @Test
    void closesAClientThatEarnsByTheByte() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 0)) {
            client.get(1, "/").await(HEADERS);
            FloodTable.repeat(20, i -> {
                client.window(1, 1);
                client.await(DATA);
            });
            FloodTable.repeat(12, i -> client.frame(PING, 0, 0, new byte[8]));
            assertEnded(client, AbuseLimit.PINGS);
        }
    }

    /** Sends the bodies of uploads that were refused meanwhile: all of the streams, and as many new ones, are reset at once. */
    @Test
    void ignoresWhatIsUnderWayOnManyRefusedStreams() {
        Http1Limits discardNothing = new Http1Limits(
                16 * 1024, 0, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);
        try (CoreGateway ordinary = new CoreGateway(Setup.of(origin.address()).limits(discardNothing));
                FrameClient client = FrameClient.connect(ordinary.port())) {
            int last = 2 * 255 + 1;
            for (int id = 1; id <= last; id += 2) {
                client.post(id, "/%00", "content-length", "100000");
                assertThat(client.response(id).status()).isEqualTo("400");
            }
            for (int id = 1; id <= last; id += 2) {
                client.data(id, false, "under way");
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(ordinary.budgets()).isEmpty();
        }
    }

    /** Errs in a third of its streams, twice as many as the budget; the others are complete. */
    @Test
    void keepsAClientThatErrs() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 121; id += 6) {
                client.get(id, "/").window(0, LENGTH);
                client.get(id + 2, "/").window(0, LENGTH);
                assertThat(client.get(id + 4, "/", "X-Up", "a").outcome(id + 4)).contains("RST PROTOCOL_ERROR");
                assertThat(client.response(id).length()).isEqualTo(LENGTH);
                assertThat(client.response(id + 2).length()).isEqualTo(LENGTH);
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    /** Sends as many CONTINUATION frames in each head as the limit permits, many more in all. */
    @Test
    void keepsAClientWithLongHeads() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 41; id += 2) {
                client.frame(HEADERS, END_STREAM, id, FieldBlock.of(FrameClient.request("GET", "/")));
                for (int i = 0; i < 5; i++) {
                    client.frame(
                            CONTINUATION, i < 4 ? 0 : END_HEADERS, id, FieldBlock.of("x-a" + i, "b".repeat(2_000)));
                }
                client.window(0, LENGTH);
                assertThat(client.response(id).length()).isEqualTo(LENGTH);
            }
        }
    }

    /** Cancels half of its requests, twice as many as the budget. */
    @Test
    void keepsAClientThatCancels() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 81; id += 4) {
                client.get(id, "/").window(0, LENGTH).response(id);
                client.get(id + 2, HOLD).reset(id + 2);
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void keepsOrdinaryClients() {
        try (FrameClient client = FrameClient.connect(gateway.port(), 4, 1 << 20)) {
            for (int id = 1; id < 101; id += 2) {
                client.get(id, "/").window(0, LENGTH);
                assertThat(client.response(id).length()).isEqualTo(LENGTH);
            }
        }
    }
}
