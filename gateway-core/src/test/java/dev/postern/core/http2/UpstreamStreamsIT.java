package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.numbers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Answer;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.upstream.UpstreamSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Exchanges as streams of one connection to an upstream: side by side, each as fast as its own client, and how each of them ends. */
@ExtendWith(LeakExtension.class)
class UpstreamStreamsIT {

    private static final String[] OK = {":status", "200"};
    private static final int REFUSED_STREAM = 7;

    private final FrameOrigin origin = new FrameOrigin();
    private CoreGateway gateway = new CoreGateway(setup());

    private Setup setup() {
        return Setup.of(origin.address()).toHttp2(null);
    }

    private void again(Setup setup) {
        gateway.close();
        gateway = new CoreGateway(setup);
    }

    private static UpstreamSettings.Pool pool(int connections, int streams) {
        return new UpstreamSettings.Pool(
                true, connections, 1024, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 0, streams);
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private FrameClient client(int... settings) {
        return FrameClient.connect(gateway.port(), settings);
    }

    private static void ok(FrameClient server, int stream, String body) {
        server.headers(stream, false, OK).data(stream, true, body);
    }

    // ---- requests

    @Test
    void sendsARequestAsItsServerKnowsIt() {
        try (FrameClient client = client()) {
            client.get(1, "/a/./b?q=1", "cookie", "a=1", "cookie", "b=2", "x-a", "b", "te", "trailers");
            FrameClient server = origin.accept();
            Frame head = server.await(HEADERS);
            assertThat(head.has(FrameClient.END_STREAM)).isTrue();
            Answer asked = server.soFar(1);
            assertThat(asked.field(":method")).isEqualTo("GET");
            assertThat(asked.field(":scheme")).isEqualTo("http");
            assertThat(asked.field(":authority")).isEqualTo("site.example");
            assertThat(asked.field(":path")).isEqualTo("/a/b?q=1");
            assertThat(asked.field("cookie")).isEqualTo("a=1; b=2");
            assertThat(asked.field("x-a")).isEqualTo("b");
            assertThat(asked.field("te")).isEqualTo("trailers");
            assertThat(asked.field("via")).isEqualTo("2.0 postern");
            assertThat(asked.field("host") + asked.field("connection")).isEmpty();
            ok(server, 1, "hello");
            Answer answer = client.answer(1);
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.field("via")).isEqualTo("2.0 postern");
        }
    }

    @Test
    void servesClientsOfHttp1() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send("POST /p HTTP/1.1\r\nHost: H.example\r\nConnection: X-B\r\nX-B: c\r\nX-Up: d\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-sum: 7\r\n\r\n");
            FrameClient server = origin.accept();
            assertThat(server.answer(1).body()).isEqualTo("hello");
            Answer asked = server.soFar(1);
            assertThat(asked.field("x-b") + asked.field("transfer-encoding")).isEmpty();
            assertThat(asked.field("x-up")).isEqualTo("d");
            assertThat(asked.field("x-sum")).as("a trailer").isEqualTo("7");
            assertThat(asked.field("via")).isEqualTo("1.1 postern");
            ok(server, 1, "world");
            RawClient.Response answer = client.read();
            assertThat(answer.body()).isEqualTo("world");
            assertThat(answer.field("Transfer-Encoding")).isEqualTo("chunked");

            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.await(HEADERS);
            server.headers(3, true, OK);
            assertThat(client.read().body()).isEmpty();
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.await(HEADERS);
            server.headers(5, true, ":status", "200", "content-length", "9");
            assertThat(client.readHead().field("Content-Length")).isEqualTo("9");
        }
    }

    @Test
    void sendsNoMoreOfABodyThanTheWindowsAllow() {
        String piece = "x".repeat(16_000);
        try (FrameClient client = client()) {
            client.post(1, "/");
            FrameClient server = origin.accept(4, 1000);
            server.await(HEADERS);
            client.data(1, false, piece).data(1, false, piece).data(1, true, piece);
            while (server.soFar(1).length() < 1000) {
                server.next();
            }
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            assertThat(server.soFar(1).length()).isEqualTo(1000);
            client.get(3, "/other"); // which the first does not hold up
            server.await(HEADERS);
            ok(server, 3, "other");
            assertThat(client.answer(3).body()).isEqualTo("other");
            server.window(1, 100_000).window(0, 100_000);
            assertThat(server.answer(1).length()).isEqualTo(48_000);
            ok(server, 1, "all");
            assertThat(client.answer(1).body()).isEqualTo("all");
        }
    }

    @Test
    void pausesAClientWhoseServerTakesNothing() {
        String piece = "x".repeat(16_000);
        try (FrameClient client = client()) {
            client.post(1, "/");
            FrameClient server = origin.accept(4, 0);
            server.await(HEADERS);
            int sent = 0;
            int window = 65_535;
            for (; window >= 16_000; window -= 16_000) {
                client.data(1, false, piece);
                sent += 16_000;
            }
            // What the gateway took it gives room for again; then no more.
            for (Frame frame = client.await(FrameClient.WINDOW_UPDATE); sent < 160_000; frame = client.next()) {
                if (frame == null || frame.type() == PING) {
                    break;
                }
                if (frame.type() == FrameClient.WINDOW_UPDATE && frame.stream() == 1) {
                    window += frame.number(0);
                    for (; window >= 16_000; window -= 16_000) {
                        client.data(1, false, piece);
                        sent += 16_000;
                    }
                    client.frame(PING, 0, 0, new byte[8]);
                }
            }
            assertThat(sent).as("bytes that somebody holds").isLessThan(160_000);
            server.window(1, 1_000_000).window(0, 1_000_000);
            while (server.soFar(1).length() < sent) {
                server.next();
            }
            client.data(1, true, "");
            server.answer(1);
            ok(server, 1, "all");
            assertThat(client.answer(1).body()).isEqualTo("all");
        }
    }

    // ---- answers

    @Test
    void manyExchangesShareAConnection() {
        try (FrameClient client = client()) {
            for (int i = 1; i <= 9; i += 2) {
                client.get(i, "/" + i);
            }
            FrameClient server = origin.accept();
            for (int i = 0; i < 5; i++) {
                server.await(HEADERS);
            }
            for (int i = 9; i >= 1; i -= 2) {
                ok(server, i, server.soFar(i).field(":path"));
            }
            for (int i = 1; i <= 9; i += 2) {
                assertThat(client.answer(i).body()).isEqualTo("/" + i);
            }
        }
        assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                .isEqualTo(1);
        await().until(() -> gateway.upstream().idle() == 1);
    }

    @Test
    void aSlowClientPausesItsOwnStreamAlone() {
        String piece = "x".repeat(16_000);
        try (FrameClient slow = client(4, 0);
                FrameClient fast = client()) {
            slow.get(1, "/slow");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.headers(1, false, OK);
            int window = 65_535;
            int connection = 65_535;
            int sent = 0;
            for (int probe = 0; probe < 2; ) {
                if (window >= 16_000 && connection >= 16_000) {
                    server.data(1, false, piece);
                    window -= 16_000;
                    connection -= 16_000;
                    sent += 16_000;
                    continue;
                }
                server.frame(PING, 0, 0, new byte[8]);
                boolean more = false;
                for (Frame frame = server.next(); frame != null && frame.type() != PING; frame = server.next()) {
                    if (frame.type() == FrameClient.WINDOW_UPDATE) {
                        more = true;
                        if (frame.stream() == 0) {
                            connection += frame.number(0);
                        } else {
                            window += frame.number(0);
                        }
                    }
                }
                probe = more ? 0 : probe + 1;
            }
            assertThat(sent).as("bytes that the gateway holds").isLessThan(200_000);
            assertThat(connection).as("the window of the connection").isGreaterThan(32_000);
            fast.get(1, "/fast");
            server.await(HEADERS);
            ok(server, 3, "fast");
            assertThat(fast.answer(1).body()).isEqualTo("fast");
            server.data(1, true, "");
            slow.window(1, 1_000_000).window(0, 1_000_000);
            assertThat(slow.answer(1).length()).isEqualTo(sent);
        }
    }

    @Test
    void passesTrailersOnToThoseWhoTakeThem() {
        try (FrameClient client = client()) {
            client.get(1, "/", "te", "trailers").get(3, "/");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.await(HEADERS);
            server.headers(1, false, OK).data(1, false, "x").headers(1, true, "x-sum", "7", "content-type", "a/b");
            server.headers(3, false, OK).data(3, false, "x").headers(3, true, "x-sum", "7");
            assertThat(client.answer(1).field("x-sum")).isEqualTo("7");
            assertThat(client.answer(1).field("content-type")).isEmpty();
            assertThat(client.answer(3).field("x-sum")).isEmpty();
        }
    }

    @Test
    void endsABodyThatNobodyWantsAnyMore() {
        try (FrameClient client = client()) {
            client.post(1, "/").data(1, false, "some");
            FrameClient server = origin.accept();
            server.await(DATA);
            server.headers(1, false, ":status", "413").data(1, true, "enough");
            assertThat(client.answer(1).status()).isEqualTo("413");
            assertThat(server.await(RST_STREAM).error()).isEqualTo("CANCEL");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void clientsThatLeaveTakeTheirStreamAlone() {
        try (FrameClient client = client();
                FrameClient other = client()) {
            client.get(1, "/");
            other.get(1, "/other");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.await(HEADERS);
            int theirs = server.soFar(1).field(":path").equals("/") ? 1 : 3;
            client.reset(1);
            assertThat(server.await(RST_STREAM).stream()).isEqualTo(theirs);
            server.data(theirs, true, "on its way");
            ok(server, 4 - theirs, "other");
            assertThat(other.answer(1).body()).isEqualTo("other");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void answersThatStopAreGivenUpAlone() {
        again(setup().idle(Duration.ofMillis(300)));
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.headers(1, false, OK).data(1, false, "half");
            assertThat(client.answer(1).reset()).isEqualTo("INTERNAL_ERROR");
            assertThat(server.await(RST_STREAM).error()).isEqualTo("CANCEL");
            client.get(3, "/");
            server.await(HEADERS);
            ok(server, 3, "again");
            assertThat(client.answer(3).body()).isEqualTo("again");
        }
    }

    // ---- bounds

    @Test
    void opensNoMoreStreamsThanTheServerTakes() {
        again(setup().pool(pool(1, 100)));
        try (FrameClient client = client()) {
            client.get(1, "/1").get(3, "/3").get(5, "/5");
            FrameClient server = origin.accept(3, 2);
            server.await(HEADERS);
            server.await(HEADERS);
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            assertThat(server.soFar(5).field(":path")).as("the third").isEmpty();
            ok(server, 1, "first");
            server.await(HEADERS);
            assertThat(server.soFar(5).field(":path")).isEqualTo("/5");
            ok(server, 3, "second");
            ok(server, 5, "third");
            assertThat(client.answer(5).body()).isEqualTo("third");
        }
    }

    @Test
    void opensAnotherConnectionWhenOneIsFull() {
        again(setup().pool(pool(2, 1)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient one = origin.accept();
            one.await(HEADERS);
            client.get(3, "/3");
            FrameClient two = origin.accept();
            two.await(HEADERS);
            ok(one, 1, "one");
            ok(two, 1, "two");
            assertThat(client.answer(1).body()).isEqualTo("one");
            assertThat(client.answer(3).body()).isEqualTo("two");
        }
        await().until(() -> gateway.upstream().idle() == 2);
    }

    @Test
    void whoWaitsTooLongForAStreamIsToldSo() {
        again(setup().pool(pool(1, 1)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            client.get(3, "/3");
            assertThat(client.answer(3).body()).contains("upstream-busy");
            ok(server, 1, "one");
            assertThat(client.answer(1).body()).isEqualTo("one");
        }
    }

    @Test
    void connectionsAreClosedWhenNobodyNeedsThem() {
        again(setup().pool(new UpstreamSettings.Pool(
                true, 10, 10, Duration.ofMillis(100), false, Duration.ofMinutes(10), 0)));
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            ok(server, 1, "one");
            assertThat(client.answer(1).body()).isEqualTo("one");
            assertThat(server.await(GOAWAY).error()).isEqualTo("NO_ERROR");
            assertThat(server.closedByPeer()).isTrue();
        }
        await().until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 0);
    }

    @Test
    void connectionsEndAfterTheirLastRequest() {
        again(setup().pool(new UpstreamSettings.Pool(
                true, 10, 10, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 2)));
        try (FrameClient client = client()) {
            client.get(1, "/1").get(3, "/3");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.await(HEADERS);
            client.get(5, "/5");
            FrameClient next = origin.accept();
            next.await(HEADERS);
            ok(server, 1, "one");
            ok(server, 3, "three");
            ok(next, 1, "five");
            assertThat(client.answer(1).body() + client.answer(3).body()).isEqualTo("onethree");
            assertThat(client.answer(5).body()).isEqualTo("five");
            assertThat(server.closedByPeer()).isTrue();
        }
    }

    // ---- what may be sent again

    @Test
    void whatTheServerRefusedIsSentAgainWhateverItAsksFor() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/", "content-length", "0"));
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.frame(RST_STREAM, 0, 1, numbers(REFUSED_STREAM));
            server.await(HEADERS);
            assertThat(server.soFar(3).field(":method")).isEqualTo("POST");
            ok(server, 3, "done");
            assertThat(client.answer(1).body()).isEqualTo("done");
        }
        await().until(() -> !gateway.ended().isEmpty());
        assertThat(gateway.ended().get(0).outcome().tries()).isEqualTo(2);
    }

    @Test
    void whatWasResetForAnotherReasonIsNot() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.frame(RST_STREAM, 0, 1, numbers(2));
            assertThat(client.answer(1).body()).contains("upstream-closed");
        }
        await().until(() -> !gateway.ended().isEmpty());
        assertThat(gateway.ended().get(0).outcome().tries()).isOne();
    }

    @Test
    void aRequestWhoseBodyIsGoneIsNotSentAgain() {
        try (FrameClient client = client()) {
            client.post(1, "/").data(1, false, "some");
            FrameClient server = origin.accept();
            server.await(DATA);
            server.frame(RST_STREAM, 0, 1, numbers(REFUSED_STREAM));
            assertThat(client.answer(1).status()).isEqualTo("502");
        }
    }

    @Test
    void aRequestWhoseBodyHasNotComeIsSentAgainWithAllOfIt() {
        try (FrameClient client = client()) {
            client.post(1, "/");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.frame(RST_STREAM, 0, 1, numbers(REFUSED_STREAM));
            server.await(HEADERS);
            client.data(1, true, "whole");
            assertThat(server.answer(3).body()).isEqualTo("whole");
            ok(server, 3, "done");
            assertThat(client.answer(1).body()).isEqualTo("done");
        }
    }

    @Test
    void serversThatRefuseForEverAreNotAskedForEver() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.accept();
            for (int stream = 1; stream <= 5; stream += 2) {
                server.await(HEADERS);
                server.frame(RST_STREAM, 0, stream, numbers(REFUSED_STREAM));
            }
            assertThat(client.answer(1).status()).isEqualTo("502");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void whatCameAfterTheLastStreamOfAGoawayIsSentElsewhere() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/1", "content-length", "0"));
            FrameClient server = origin.accept();
            server.await(HEADERS);
            client.headers(3, true, FrameClient.request("POST", "/3", "content-length", "0"));
            server.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(1, 0));
            FrameClient next = origin.accept();
            next.await(HEADERS);
            assertThat(next.soFar(1).field(":path")).isEqualTo("/3");
            ok(next, 1, "elsewhere");
            ok(server, 1, "here");
            assertThat(client.answer(1).body()).isEqualTo("here");
            assertThat(client.answer(3).body()).isEqualTo("elsewhere");
            assertThat(server.closedByPeer())
                    .as("once its last exchange is over")
                    .isTrue();
            client.get(5, "/5");
            next.await(HEADERS);
            ok(next, 3, "five");
            assertThat(client.answer(5).body()).isEqualTo("five");
        }
    }

    @Test
    void aServerThatSaysGoodbyeInTwoStepsLosesNothing() {
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(Integer.MAX_VALUE, 0));
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            client.get(3, "/3");
            FrameClient next = origin.accept();
            next.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(1, 0));
            ok(server, 1, "one");
            ok(next, 1, "three");
            assertThat(client.answer(1).body()).isEqualTo("one");
            assertThat(client.answer(3).body()).isEqualTo("three");
        }
    }

    @Test
    void anUnsafeRequestThatMayHaveBeenActedOnIsNotSentAgain() {
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            ok(server, 1, "one");
            client.answer(1);
            client.headers(3, true, FrameClient.request("POST", "/3", "content-length", "0"));
            server.await(HEADERS);
            client.get(5, "/5");
            server.await(HEADERS);
            server.close(); // without a word
            FrameClient next = origin.accept();
            next.await(HEADERS);
            assertThat(next.soFar(1).field(":path")).isEqualTo("/5");
            ok(next, 1, "five");
            assertThat(client.answer(5).body())
                    .as("safe, and over a stale connection")
                    .isEqualTo("five");
            assertThat(client.answer(3).body()).contains("upstream-closed");
        }
    }

    // ---- beginning and end

    @Test
    void aServerThatNeverSaysWhatItTakesIsGivenUp() {
        again(setup().firstByte(Duration.ofSeconds(30)));
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.silent();
            assertThat(client.answer(1).body()).contains("upstream-connect-timeout");
            assertThat(server.await(SETTINGS)).isNotNull();
            assertThat(server.closedByPeer()).isTrue();
        }
        await().until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 0);
    }

    @Test
    void aServerThatSpeaksSomethingElseGetsNothing() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.silent();
            server.bytes("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(client.answer(1).status()).isEqualTo("502");
            assertThat(server.soFar(1).field(":path")).isEmpty();
        }
    }

    @Test
    void aServerOfManyEmptyFramesIsLeft() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.headers(1, false, OK);
            byte[] empty = FrameClient.raw(DATA, 0, 1, new byte[0]);
            byte[] many = new byte[empty.length * 2000];
            for (int i = 0; i < many.length; i += empty.length) {
                System.arraycopy(empty, 0, many, i, empty.length);
            }
            server.bytes(many);
            assertThat(server.await(GOAWAY).error()).isEqualTo("ENHANCE_YOUR_CALM");
            assertThat(client.answer(1).reset()).isEqualTo("INTERNAL_ERROR");
        }
    }
}
