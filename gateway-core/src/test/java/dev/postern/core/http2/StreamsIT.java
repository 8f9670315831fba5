package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Answer;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams as exchanges: bodies both ways as fast as they are taken, and how each of them ends. */
@ExtendWith(LeakExtension.class)
class StreamsIT {

    private static final Http1Limits SHORT = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofMillis(300), 8);

    private TestOrigin origin;
    private CoreGateway gateway;

    @BeforeEach
    void start() {
        origin = new TestOrigin();
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        origin.close();
    }

    private void again(Http1Limits limits) {
        gateway.close();
        gateway = new CoreGateway(Setup.of(origin.address()).limits(limits));
    }

    private FrameClient client(int... settings) {
        return FrameClient.connect(gateway.port(), settings);
    }

    private Outcome ended() {
        await().until(() -> !gateway.ended().isEmpty());
        List<Exchange> all = gateway.ended();
        return all.get(all.size() - 1).outcome();
    }

    // ---- requests

    @Test
    void forwardsARequestAsItsUpstreamKnowsIt() {
        try (FrameClient client = client()) {
            client.get(
                    1, "/a/./b?q=1", "cookie", "a=1", "x-a", "b", "cookie", "b=2", "cookie", "c=3", "te", "trailers");
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        TestOrigin.Received received = origin.received().get(0);
        assertThat(received.line()).isEqualTo("GET /a/b?q=1 HTTP/1.1");
        assertThat(received.field("Cookie")).isEqualTo("a=1; b=2; c=3");
        assertThat(received.head().split("(?i)\r\ncookie:", -1)).hasSize(2);
        assertThat(received.field("Host")).isEqualTo("site.example");
        assertThat(received.field("X-A")).isEqualTo("b");
        assertThat(received.field("TE")).isEqualTo("trailers");
        assertThat(received.field("Connection")).isEqualTo("te");
        assertThat(received.field("Via")).isEqualTo("2.0 postern");
        assertThat(received.field("X-Forwarded-Proto")).isEqualTo("http");
    }

    @Test
    void saysALengthWhereFramesSaidThereIsNone() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/"));
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).field("Content-Length")).isEqualTo("0");
    }

    @Test
    void forwardsBodiesOfKnownAndUnknownLength() {
        try (FrameClient client = client()) {
            client.post(1, "/").data(1, false, "hello ").data(1, false, "").data(1, true, "world");
            assertThat(client.answer(1).status()).isEqualTo("200");
            client.post(3, "/", "content-length", "5").data(3, true, "whole");
            assertThat(client.answer(3).status()).isEqualTo("200");
        }
        assertThat(new String(origin.received().get(0).body(), ISO_8859_1)).isEqualTo("hello world");
        assertThat(origin.received().get(0).field("Transfer-Encoding")).isEqualTo("chunked");
        assertThat(new String(origin.received().get(1).body(), ISO_8859_1)).isEqualTo("whole");
        assertThat(origin.received().get(1).field("Content-Length")).isEqualTo("5");
    }

    @Test
    void opensTheWindowForWhatTheUpstreamTook() {
        String piece = "x".repeat(16_384);
        try (FrameClient client = client()) {
            client.post(1, "/");
            int sent = 0;
            int window = 65_535;
            while (sent < 40) {
                while (window >= piece.length() && sent < 40) {
                    client.data(1, ++sent == 40, piece);
                    window -= piece.length();
                }
                for (Frame frame = client.next(); sent < 40 && frame != null; frame = client.next()) {
                    if (frame.type() == WINDOW_UPDATE && frame.stream() == 1) {
                        window += frame.number(0);
                        break;
                    }
                }
            }
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).body()).hasSize(40 * 16_384);
    }

    @Test
    void leavesTheWindowShutForABodyThatNobodyReads() {
        CountDownLatch read = new CountDownLatch(1);
        gateway.close();
        gateway = new CoreGateway(Setup.of(origin.address()).admit(new Gate(read)));
        String piece = "x".repeat(16_000);
        try (FrameClient client = client()) {
            client.post(1, "/");
            for (int i = 0; i < 4; i++) {
                client.data(1, false, piece);
            }
            client.frame(PING, 0, 0, new byte[8]);
            for (Frame frame = requireNonNull(client.next());
                    frame.type() != PING;
                    frame = requireNonNull(client.next())) {
                assertThat(frame.type() == WINDOW_UPDATE && frame.stream() == 1)
                        .as("window of the stream")
                        .isFalse();
            }
            read.countDown();
            assertThat(client.await(WINDOW_UPDATE).number(0)).isPositive();
            client.data(1, true, piece);
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).body()).hasSize(5 * 16_000);
    }

    @Test
    void asksForTheBodyOnlyWhenItIsWanted() {
        try (FrameClient client = client()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "5");
            client.await(HEADERS);
            assertThat(client.soFar(1).interim()).isEqualTo("100");
            client.data(1, true, "hello");
            assertThat(client.answer(1).status()).isEqualTo("200");
        }
        assertThat(origin.received().get(0).field("Expect")).isEmpty();
    }

    @Test
    void readsALittleOfAnUnwantedBodyAway() {
        try (FrameClient client = client()) {
            client.headers(1, false, FrameClient.request("TRACE", "/"));
            assertThat(client.answer(1).status()).isEqualTo("405");
            client.data(1, true, "unwanted");
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(1).reset()).isEmpty();
        }
    }

    @Test
    void resetsWithoutErrorWhatGoesOnForTooLong() {
        try (FrameClient client = client()) {
            client.headers(1, false, FrameClient.request("TRACE", "/"));
            assertThat(client.answer(1).status()).isEqualTo("405");
            String piece = "x".repeat(16_000);
            for (int i = 0; i < 5; i++) {
                client.data(1, false, piece);
            }
            assertThat(client.await(RST_STREAM).error()).isEqualTo("NO_ERROR");
            client.data(1, false, piece);
            assertThat(client.outcome(0)).as("what was on its way").isEqualTo("ALIVE");
        }
    }

    @Test
    void tellsAClientThatWaitsForContinueNotToSend() {
        try (FrameClient client = client()) {
            client.headers(
                    1, false, FrameClient.request("TRACE", "/", "expect", "100-continue", "content-length", "5"));
            assertThat(client.answer(1).status()).isEqualTo("405");
            assertThat(client.await(RST_STREAM).error()).isEqualTo("NO_ERROR");
        }
    }

    @Test
    void resetsWhatTurnsOutToBeMalformedAfterItsAnswer() {
        try (FrameClient client = client()) {
            byte[] head = FrameClient.raw(
                    HEADERS,
                    FrameClient.END_HEADERS,
                    1,
                    FieldBlock.of(FrameClient.request("TRACE", "/", "content-length", "1")));
            byte[] body = FrameClient.raw(DATA, FrameClient.END_STREAM, 1, new byte[4]);
            byte[] both = new byte[head.length + body.length];
            System.arraycopy(head, 0, both, 0, head.length);
            System.arraycopy(body, 0, both, head.length, body.length);
            client.bytes(both);
            assertThat(client.await(RST_STREAM).error()).isEqualTo("PROTOCOL_ERROR");
            assertThat(client.soFar(1).status()).isEqualTo("405");
        }
    }

    @Test
    void refusesABodyThatStops() {
        again(SHORT);
        try (FrameClient client = client()) {
            client.post(1, "/", "content-length", "5").data(1, false, "he");
            assertThat(client.answer(1).status()).isEqualTo("408");
        }
        assertThat(ended().reason()).isEqualTo("body");
    }

    // ---- answers

    @Test
    void answersManyStreamsAsTheirUpstreamsDo() {
        CountDownLatch second = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            if (request.line().contains("/slow")) {
                uninterrupted(second);
            }
            Behaviour.ok(request.line().substring(5, 9)).answer(request, socket);
        });
        try (FrameClient client = client()) {
            client.get(1, "/slow").get(3, "/fast");
            assertThat(client.answer(3).body()).isEqualTo("fast");
            assertThat(client.soFar(1).status()).isEmpty();
            second.countDown();
            assertThat(client.answer(1).body()).isEqualTo("slow");
        }
        await().until(() -> gateway.ended().size() == 2);
    }

    @Test
    void endsASmallAnswerWithItsData() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            Frame head = client.await(HEADERS);
            Frame data = requireNonNull(client.next());
            assertThat(head.has(FrameClient.END_STREAM)).isFalse();
            assertThat(data.type()).isEqualTo(DATA);
            assertThat(data.has(FrameClient.END_STREAM)).isTrue();
            assertThat(client.soFar(1).field("content-length")).isEqualTo("5");
            assertThat(client.soFar(1).field("date")).isNotEmpty();
        }
    }

    @Test
    void endsAnswersWithoutABodyWithTheirHead() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("HEAD", "/"));
            assertThat(client.await(HEADERS).has(FrameClient.END_STREAM)).isTrue();
            assertThat(client.soFar(1).field("content-length")).isEqualTo("5");
            origin.behave(Behaviour.raw("HTTP/1.1 204 No\r\nX-A: b\r\n\r\n"));
            assertThat(client.get(3, "/").await(HEADERS).has(FrameClient.END_STREAM))
                    .isTrue();
            origin.behave(Behaviour.raw("HTTP/1.1 304 No\r\nETag: b\r\n\r\n"));
            assertThat(client.get(5, "/").await(HEADERS).has(FrameClient.END_STREAM))
                    .isTrue();
            assertThat(client.soFar(5).status()).isEqualTo("304");
        }
    }

    @Test
    void passesInterimAnswersOn() {
        origin.behave(
                Behaviour.raw("HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: x-b\r\nX-B: c\r\n"
                        + "Keep-Alive: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
        try (FrameClient client = client()) {
            Answer answer = client.get(1, "/").answer(1);
            assertThat(answer.interim()).isEqualTo("103");
            assertThat(answer.status()).isEqualTo("200");
            assertThat(answer.body()).isEqualTo("abc");
            assertThat(answer.field("connection") + answer.field("keep-alive") + answer.field("x-b"))
                    .isEmpty();
            assertThat(answer.field("transfer-encoding")).isEmpty();
        }
    }

    @Test
    void sendsNoMoreThanTheWindowsAllow() {
        origin.behave(Behaviour.ok("x".repeat(100_000)));
        try (FrameClient client = client(4, 1000)) {
            client.get(1, "/").frame(PING, 0, 0, new byte[8]);
            while (client.soFar(1).length() < 1000) {
                client.next();
            }
            client.window(1, 500);
            while (client.soFar(1).length() < 1500) {
                client.next();
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(1).length()).isEqualTo(1500);
            client.window(1, 60_000);
            client.window(0, 100_000).window(1, 100_000);
            assertThat(client.answer(1).length()).isEqualTo(100_000);
        }
    }

    @Test
    void smallAnswersUseTheWindowOfTheConnectionUp() {
        origin.behave(Behaviour.ok("x".repeat(1000)));
        try (FrameClient client = client()) {
            int most = 65_535;
            int asked = 70;
            for (int i = 0; i < asked; i++) {
                client.get(1 + 2 * i, "/");
            }
            while (received(client, asked) < most) {
                client.next();
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(received(client, asked)).isEqualTo(most);
            client.window(0, 100_000);
            for (int i = 0; i < asked; i++) {
                assertThat(client.answer(1 + 2 * i).length()).isEqualTo(1000);
            }
        }
    }

    private static int received(FrameClient client, int streams) {
        int bytes = 0;
        for (int i = 0; i < streams; i++) {
            bytes += client.soFar(1 + 2 * i).length();
        }
        return bytes;
    }

    @Test
    void smallAnswersUseTheWindowOfTheirStreamUp() {
        origin.behave(Behaviour.ok("x".repeat(1000)));
        try (FrameClient client = client(4, 1500)) {
            assertThat(client.get(1, "/").answer(1).length()).isEqualTo(1000);
            client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(4, 999))
                    .get(3, "/");
            while (client.soFar(3).length() < 999) {
                client.next();
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(3).length()).isEqualTo(999);
            assertThat(client.window(3, 1).answer(3).length()).isEqualTo(1000);
        }
    }

    @Test
    void aSmallBodyBehindALongHeadArrives() {
        String longest = "X".repeat(20_000); // no shorter by the code of Huffman
        origin.behave(Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Long: " + longest + "\r\n\r\nabc"));
        try (FrameClient client = client()) {
            for (int stream = 1; stream < 6; stream += 2) {
                FrameClient.Answer answer = client.get(stream, "/").answer(stream);
                assertThat(answer.body()).isEqualTo("abc");
                assertThat(answer.field("x-long")).isEqualTo(longest);
            }
        }
    }

    @Test
    void whoWantsOnlyShortHeadsGetsThemAllTheSame() {
        origin.behave(Behaviour.ok("abc"));
        try (FrameClient client = client(6, 40)) {
            FrameClient.Answer answer = client.get(1, "/").answer(1);
            assertThat(answer.status()).isEqualTo("200");
            assertThat(answer.body()).isEqualTo("abc");
        }
    }

    @Test
    void holdsLittleOfAnAnswerThatNobodyTakes() throws Exception {
        int most = 64 * 1024 * 1024;
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService writer = Executors.newSingleThreadExecutor();
        java.util.concurrent.atomic.AtomicLong written = new java.util.concurrent.atomic.AtomicLong();
        origin.behave((request, socket) -> {
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + most + "\r\n\r\n").getBytes(ISO_8859_1));
            begun.countDown();
            byte[] piece = new byte[64 * 1024];
            for (int i = 0; i < most; i += piece.length) {
                socket.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
        });
        try (FrameClient client = client(4, 0)) {
            client.get(1, "/big");
            uninterrupted(begun);
            Future<Long> stalled = writer.submit(() -> {
                long before = -1;
                while (written.get() != before) {
                    before = written.get();
                    assertThat(client.outcome(0)).isEqualTo("ALIVE");
                    java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
                }
                return before;
            });
            assertThat(stalled.get()).as("what sockets and 64 KiB hold").isLessThan(most / 2);
        } finally {
            writer.shutdownNow();
        }
    }

    @Test
    void cutsAnAnswerThatItsUpstreamBrokeOff() {
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").answer(request, socket);
            socket.close();
        });
        try (FrameClient client = client()) {
            Answer answer = client.get(1, "/").answer(1);
            assertThat(answer.reset()).isEqualTo("INTERNAL_ERROR");
            assertThat(answer.ended()).isFalse();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertThat(ended().cut()).isTrue();
    }

    @Test
    void letsGoOfTheUpstreamWhenTheClientResets() {
        CountDownLatch gone = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            if (socket.getInputStream().read() < 0) {
                gone.countDown();
            }
        });
        try (FrameClient client = client()) {
            client.get(1, "/");
            await().until(() -> !origin.received().isEmpty());
            client.reset(1);
            uninterrupted(gone);
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertThat(ended().cut()).isTrue();
    }

    @Test
    void letsGoOfEverythingWhenTheClientGoes() {
        CountDownLatch gone = new CountDownLatch(2);
        origin.behave((request, socket) -> {
            if (socket.getInputStream().read() < 0) {
                gone.countDown();
            }
        });
        try (FrameClient client = client()) {
            client.get(1, "/").get(3, "/");
            await().until(() -> origin.received().size() == 2);
        }
        uninterrupted(gone);
        await().until(() -> gateway.ended().size() == 2);
    }

    @Test
    void letsGoOfEverythingWhenTheClientSendsNothingMore() {
        CountDownLatch gone = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            if (socket.getInputStream().read() < 0) {
                gone.countDown();
            }
        });
        try (FrameClient client = client()) {
            client.get(1, "/");
            await().until(() -> !origin.received().isEmpty());
            client.finish();
            uninterrupted(gone);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    // ---- the connection

    @Test
    void saysFarewellTwiceAndLetsStreamsEnd() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            uninterrupted(answer);
            Behaviour.ok("late").answer(request, socket);
        });
        ExecutorService main = Executors.newSingleThreadExecutor();
        try (FrameClient client = client()) {
            client.get(1, "/");
            await().until(() -> !origin.received().isEmpty());
            Future<Integer> drained = main.submit(() -> gateway.server().drain(Duration.ofSeconds(10)));
            Frame first = client.await(GOAWAY);
            assertThat(first.number(0)).isEqualTo(Integer.MAX_VALUE);
            assertThat(first.error()).isEqualTo("NO_ERROR");
            Frame ping = client.await(PING);
            client.get(3, "/on-its-way");
            client.frame(PING, FrameClient.ACK, 0, ping.payload());
            Frame last = client.await(GOAWAY);
            assertThat(last.number(0)).isEqualTo(3);
            answer.countDown();
            assertThat(client.answer(1).body()).isEqualTo("late");
            assertThat(client.answer(3).body()).isEqualTo("late");
            assertThat(client.closedByPeer()).isTrue();
            assertThat(drained.get()).isZero();
        } finally {
            main.shutdownNow();
        }
    }

    @Test
    void endsAConnectionOnWhichNothingIsAsked() {
        again(SHORT);
        try (FrameClient client = client()) {
            client.get(1, "/").answer(1);
            Frame farewell = client.await(GOAWAY);
            assertThat(farewell.error()).isEqualTo("NO_ERROR");
            assertThat(farewell.number(0)).isEqualTo(1);
            assertThat(client.closedByPeer()).isTrue();
        }
        try (FrameClient silent = FrameClient.silent(gateway.port())) {
            assertThat(silent.closedByPeer()).isTrue();
        }
    }

    @Test
    void forwardsForForwardClients() {
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            client.headers(
                    1, true, ":method", "GET", ":scheme", "http", ":path", "/out", ":authority", origin.address());
            assertThat(client.answer(1).status()).isEqualTo("200");
            client.headers(
                    3, true, ":method", "GET", ":scheme", "https", ":path", "/out", ":authority", origin.address());
            assertThat(client.answer(3).status()).isEqualTo("403");
        }
        assertThat(origin.received().get(0).field("X-Forwarded-For")).isEmpty();
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
