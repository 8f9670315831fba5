package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.Refusal;
import dev.postern.core.http2.FrameTable;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.ServerChannel.Setup;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the floods of {@link FloodTable}, and clients that do much without harm, against a connection in memory. */
@ExtendWith(LeakExtension.class)
class FloodTableTest {

    private static final String HOLD = FrameTable.HOLD;
    private static final int INITIAL_WINDOW = 4;
    private static final int LARGE = 200_000;

    private ServerChannel server = new ServerChannel(Setup.usual().http2(FloodTable.FEW)).answer(this::answer);
    private Outcome.UpstreamUse use = Outcome.UpstreamUse.COMPLETED;

    @AfterEach
    void close() {
        server.close();
    }

    private void answer(Exchange exchange) {
        Refusal fault = exchange.fault();
        if (fault != null) {
            exchange.refuse(fault);
        } else if (!exchange.request().path().equals(HOLD)) {
            exchange.outcome().upstreamUse(use);
            TestResponse.ok(exchange, "x".repeat(LARGE));
        }
    }

    private FrameClient client(int... settings) {
        server.greet(settings);
        return server.client();
    }

    private void assertEnded(AbuseLimit limit) {
        Frame end = server.client().await(GOAWAY);
        assertThat(end.error()).isEqualTo("ENHANCE_YOUR_CALM");
        assertThat(end.debug()).isEqualTo(limit.label());
        assertThat(server.client().closedByPeer()).isTrue();
        assertThat(server.exceeded()).containsExactly(limit);
    }

    static List<FloodTable.Flood> floods() {
        return FloodTable.all();
    }

    @ParameterizedTest
    @MethodSource("floods")
    void closesTheConnectionWithTheLimitsName(FloodTable.Flood flood) {
        flood.client().accept(client(flood.settings()));
        server.pass(FloodTable.FEW.windowTimeout().multipliedBy(2));

        assertEnded(flood.limit());
    }

    static List<byte[]> halfHeads() {
        return FloodTable.halfHeads();
    }

    @ParameterizedTest
    @MethodSource("halfHeads")
    void closesAConnectionWhoseHeadTakesTooLong(byte[] half) {
        Duration limit = TestLimits.CLIENT.headTimeout();
        client().bytes(half);
        server.pass(limit.minusNanos(1));
        assertThat(server.exceeded()).isEmpty();
        server.pass(Duration.ofNanos(1));

        assertEnded(AbuseLimit.HEAD_TIMEOUT);
    }

    /** Each head has its own time: a client that sends one after the other in halves is never late. */
    @Test
    void countsTheTimeOfEachHead() {
        byte[] whole = FrameClient.raw(
                HEADERS,
                FrameClient.END_HEADERS | FrameClient.END_STREAM,
                1,
                FieldBlock.of(FrameClient.request("GET", HOLD)));
        FrameClient client = client();
        for (int id = 1; id < 9; id += 2) {
            whole[8] = (byte) id;
            client.bytes(Arrays.copyOf(whole, 20));
            server.pass(TestLimits.CLIENT.headTimeout().minusNanos(1));
            client.bytes(Arrays.copyOfRange(whole, 20, whole.length)).reset(id);
        }
        server.pass(TestLimits.CLIENT.headTimeout().multipliedBy(2));
        assertThat(server.exceeded()).isEmpty();
    }

    @Test
    void refusesOneStreamTooMany() {
        FrameClient client = client();
        client.get(1, HOLD).get(3, HOLD).get(5, HOLD).get(7, HOLD).post(9, HOLD).data(9, true, "on its way");
        assertThat(client.outcome(9)).isEqualTo("RST REFUSED_STREAM");
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        client.reset(1).get(11, "/").window(0, LARGE).window(11, LARGE);
        assertThat(client.response(11).status()).isEqualTo("200");
    }

    @Test
    void announcesItsLimits() {
        byte[] settings = server.client().greet().await(FrameClient.SETTINGS).payload();
        assertThat(settings)
                .containsSequence(FrameClient.settings(1, 4096))
                .containsSequence(FrameClient.settings(3, 4))
                .containsSequence(FrameClient.settings(6, 16 * 1024));
    }

    // ---- honest clients

    /** Sends PINGs for what was received, as gRPC does: many more than the budget, and as many as HEADERS and DATA. */
    @Test
    void keepsAClientThatMeasuresTheConnection() {
        FrameClient client = client(INITIAL_WINDOW, 1 << 20);
        for (int id = 1; id < 101; id += 4) {
            client.get(id, "/").window(0, LARGE).response(id);
            FloodTable.repeat(2, i -> client.frame(PING, 0, 0, new byte[8]));
            client.get(id + 2, "/%00"); // whose response is small, and written at once
            assertThat(client.response(id + 2).status()).isEqualTo("400");
            FloodTable.repeat(2, i -> client.frame(PING, 0, 0, new byte[8]));
        }
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    /** Receives a response in pieces of one byte: such DATA frames earn no PINGs. */
    @Test
    void closesAClientThatEarnsByTheByte() {
        FrameClient client = client(INITIAL_WINDOW, 0);
        client.get(1, "/").await(HEADERS);
        FloodTable.repeat(20, i -> client.window(1, 1).await(DATA));
        FloodTable.repeat(12, i -> client.frame(PING, 0, 0, new byte[8]));
        assertEnded(AbuseLimit.PINGS);
    }

    /** Sends the bodies of uploads that were refused meanwhile: all of the streams, and as many new ones, are reset at once. */
    @Test
    void ignoresWhatIsUnderWayOnManyRefusedStreams() {
        ConnectionSettings discardNothing = TestLimits.with(Map.of("discardBody", new ByteSize(0)));
        server.close();
        server = new ServerChannel(Setup.usual().http1(discardNothing)).answer(this::answer);
        FrameClient client = client();
        int last = 2 * 255 + 1;
        for (int id = 1; id <= last; id += 2) {
            client.post(id, "/%00", "content-length", "100000");
            assertThat(client.response(id).status()).isEqualTo("400");
        }
        for (int id = 1; id <= last; id += 2) {
            client.data(id, false, "under way");
        }
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        assertThat(server.exceeded()).isEmpty();
    }

    /** Errs in a third of its streams, twice as many as the budget; the others are complete. */
    @Test
    void keepsAClientThatErrs() {
        FrameClient client = client(INITIAL_WINDOW, 1 << 20);
        for (int id = 1; id < 121; id += 6) {
            client.get(id, "/").window(0, LARGE).get(id + 2, "/").window(0, LARGE);
            assertThat(client.get(id + 4, "/", "X-Up", "a").outcome(id + 4)).contains("RST PROTOCOL_ERROR");
            assertThat(client.response(id).length()).isEqualTo(LARGE);
            assertThat(client.response(id + 2).length()).isEqualTo(LARGE);
        }
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    /** Sends as many CONTINUATION frames in each head as the limit permits, many more in all. */
    @Test
    void keepsAClientWithLongHeads() {
        FrameClient client = client(INITIAL_WINDOW, 1 << 20);
        for (int id = 1; id < 41; id += 2) {
            client.frame(HEADERS, FrameClient.END_STREAM, id, FieldBlock.of(FrameClient.request("GET", "/")));
            for (int i = 0; i < 5; i++) {
                int flags = i < 4 ? 0 : FrameClient.END_HEADERS;
                client.frame(CONTINUATION, flags, id, FieldBlock.of("x-a" + i, "b".repeat(2_000)));
            }
            assertThat(client.window(0, LARGE).response(id).length()).isEqualTo(LARGE);
        }
    }

    /** Cancels half of its requests, twice as many as the budget. */
    @Test
    void keepsAClientThatCancels() {
        FrameClient client = client(INITIAL_WINDOW, 1 << 20);
        for (int id = 1; id < 81; id += 4) {
            client.get(id, "/").window(0, LARGE).response(id);
            client.get(id + 2, HOLD).reset(id + 2);
        }
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    /** Resets streams whose upstream has already completed them, which costs nothing. */
    @Test
    void countsNoResetOfACompletedExchange() {
        FrameClient client = client(INITIAL_WINDOW, 0);
        for (int id = 1; id < 81; id += 2) {
            client.get(id, "/").reset(id);
        }
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    // ---- cancellations of exchanges under way

    /** Begins responses that go on, as watches do. */
    private FrameClient watch(Outcome.UpstreamUse upstreamUse, int streams) {
        server.close();
        use = upstreamUse;
        server = new ServerChannel(Setup.usual().rates(Rate.of("10/h"), Rate.of("200/m"))).answer(exchange -> {
            exchange.outcome().upstreamUse(use);
            exchange.response().head(TestResponse.head(200));
            exchange.response().flush();
        });
        FrameClient client = client();
        for (int id = 1; id < 2 * streams; id += 2) {
            client.get(id, "/").await(HEADERS);
        }
        return client;
    }

    @Test
    void watchesThatEndAreNoAbuse() {
        FrameClient client = watch(Outcome.UpstreamUse.STREAM, 50);
        server.pass(Duration.ofSeconds(1));
        FloodTable.repeat(50, i -> client.reset(2 * i + 1));
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    @Test
    void watchesThatEndAtOnceAreAbuse() {
        FrameClient client = watch(Outcome.UpstreamUse.STREAM, 50);
        server.pass(Duration.ofMillis(999));
        FloodTable.repeat(50, i -> client.reset(2 * i + 1));
        assertEnded(AbuseLimit.RESETS);
    }

    /** Each cancelled stream closes a connection of HTTP/1.1, which counts, however old the stream is. */
    @Test
    void countsCancellationsThatCloseConnections() {
        FrameClient client = watch(Outcome.UpstreamUse.CONNECTION, 11);
        server.pass(Duration.ofSeconds(10));
        FloodTable.repeat(11, i -> client.reset(2 * i + 1));
        assertEnded(AbuseLimit.RESETS);
    }
}
