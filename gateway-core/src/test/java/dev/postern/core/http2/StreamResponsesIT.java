package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests responses to streams: their flow control, and how each of them ends. */
class StreamResponsesIT extends StreamFixture {

    @Test
    void respondsToManyStreamsInTheOrderOfTheUpstreams() {
        CountDownLatch second = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            if (request.line().contains("/slow")) {
                uninterrupted(second);
            }
            Behaviour.ok(request.line().substring(5, 9)).response(request, socket);
        });
        try (FrameClient client = client()) {
            client.get(1, "/slow").get(3, "/fast");
            assertThat(client.response(3).body()).isEqualTo("fast");
            assertThat(client.soFar(1).status()).isEmpty();
            second.countDown();
            assertThat(client.response(1).body()).isEqualTo("slow");
        }
        await().until(() -> gateway.ended().size() == 2);
    }

    @Test
    void endsASmallResponseWithItsData() {
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
    void endsResponsesWithoutABodyWithTheirHead() {
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
    void forwardsInterimResponses() {
        origin.behave(
                Behaviour.raw("HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: x-b\r\nX-B: c\r\n"
                        + "Keep-Alive: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
        try (FrameClient client = client()) {
            Response response = client.get(1, "/").response(1);
            assertThat(response.interim()).isEqualTo("103");
            assertThat(response.status()).isEqualTo("200");
            assertThat(response.body()).isEqualTo("abc");
            assertThat(response.field("connection") + response.field("keep-alive") + response.field("x-b"))
                    .isEmpty();
            assertThat(response.field("transfer-encoding")).isEmpty();
        }
    }

    @Test
    void staysWithinTheWindows() {
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
            assertThat(client.response(1).length()).isEqualTo(100_000);
        }
    }

    @Test
    void smallResponsesUseTheConnectionWindow() {
        origin.behave(Behaviour.ok("x".repeat(1000)));
        try (FrameClient client = client()) {
            int max = 65_535;
            int streams = 70;
            for (int i = 0; i < streams; i++) {
                client.get(1 + 2 * i, "/");
            }
            while (received(client, streams) < max) {
                client.next();
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(received(client, streams)).isEqualTo(max);
            client.window(0, 100_000);
            for (int i = 0; i < streams; i++) {
                assertThat(client.response(1 + 2 * i).length()).isEqualTo(1000);
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
    void smallResponsesUseTheStreamWindow() {
        origin.behave(Behaviour.ok("x".repeat(1000)));
        try (FrameClient client = client(4, 1500)) {
            assertThat(client.get(1, "/").response(1).length()).isEqualTo(1000);
            client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(4, 999))
                    .get(3, "/");
            while (client.soFar(3).length() < 999) {
                client.next();
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(3).length()).isEqualTo(999);
            assertThat(client.window(3, 1).response(3).length()).isEqualTo(1000);
        }
    }

    @Test
    void aSmallBodyAfterALongHeadArrives() {
        String longest = "X".repeat(20_000); // a value that Huffman coding does not shorten
        origin.behave(Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Long: " + longest + "\r\n\r\nabc"));
        try (FrameClient client = client()) {
            for (int stream = 1; stream < 6; stream += 2) {
                FrameClient.Response response = client.get(stream, "/").response(stream);
                assertThat(response.body()).isEqualTo("abc");
                assertThat(response.field("x-long")).isEqualTo(longest);
            }
        }
    }

    @Test
    void sendsLongHeadsDespiteASmallHeaderListSize() {
        origin.behave(Behaviour.ok("abc"));
        try (FrameClient client = client(6, 40)) {
            FrameClient.Response response = client.get(1, "/").response(1);
            assertThat(response.status()).isEqualTo("200");
            assertThat(response.body()).isEqualTo("abc");
        }
    }

    @Test
    void buffersLittleOfAnUnreadResponse() throws Exception {
        int max = 64 * 1024 * 1024;
        CountDownLatch begun = new CountDownLatch(1);
        ExecutorService writer = Executors.newSingleThreadExecutor();
        java.util.concurrent.atomic.AtomicLong written = new java.util.concurrent.atomic.AtomicLong();
        origin.behave((request, socket) -> {
            socket.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + max + "\r\n\r\n").getBytes(ISO_8859_1));
            begun.countDown();
            byte[] piece = new byte[64 * 1024];
            for (int i = 0; i < max; i += piece.length) {
                socket.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
        });
        try (FrameClient client = client(4, 0)) {
            client.get(1, "/big");
            uninterrupted(begun);
            Future<Long> stalled = writer.submit(() -> {
                long previous = -1;
                while (written.get() != previous) {
                    previous = written.get();
                    assertThat(client.outcome(0)).isEqualTo("ALIVE");
                    java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
                }
                return previous;
            });
            assertThat(stalled.get()).as("the capacity of sockets and 64 KiB").isLessThan(max / 2);
        } finally {
            writer.shutdownNow();
        }
    }

    @Test
    void resetsTheStreamOfATruncatedResponse() {
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").response(request, socket);
            socket.close();
        });
        try (FrameClient client = client()) {
            Response response = client.get(1, "/").response(1);
            assertThat(response.reset()).isEqualTo("INTERNAL_ERROR");
            assertThat(response.ended()).isFalse();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertThat(ended().cut()).isTrue();
    }

    @Test
    void releasesTheUpstreamWhenTheClientResets() {
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
    void releasesEverythingWhenTheClientDisconnects() {
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
    void releasesEverythingWhenTheClientEndsItsOutput() {
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

    private static void uninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void resetsTheStreamWhenAResponseWithoutLengthIsReset() {
        CountDownLatch begun = new CountDownLatch(1);
        origin.behave((request, socket) -> {
            Behaviour.raw("HTTP/1.1 200 OK\r\n\r\nhalf").response(request, socket);
            uninterrupted(begun);
            socket.setSoLinger(true, 0);
            socket.close();
        });
        try (FrameClient client = client()) {
            client.get(1, "/");
            client.await(DATA);
            begun.countDown();
            assertThat(client.response(1).reset()).isEqualTo("INTERNAL_ERROR");
        }
    }
}
