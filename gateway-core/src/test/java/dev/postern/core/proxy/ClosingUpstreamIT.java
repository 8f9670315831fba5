package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.transport.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests upstreams that close a connection: with a request on its way that can't be sent again, or with a part of its body unread, behind a
 * response that the client must get.
 */
class ClosingUpstreamIT extends GatewayBeforeOrigins {

    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";
    private static final int MANY = 64 * 1024 * 1024;
    private static final int PIECE = 64 * 1024;
    private static final int INITIAL_WINDOW = 4;

    /** More than the origin's stream reads at once: its socket is closed with unread bytes, which is a reset. */
    private static final String BODY = "x".repeat(PIECE);

    private final BusyLoop busy = new BusyLoop();

    @Override
    protected CoreGateway start(Setup setup) {
        return new CoreGateway(setup.verify(busy), Transport.Kind.EPOLL);
    }

    @AfterEach
    void free() {
        busy.end.countDown();
    }

    /** Keeps the event loop busy from a request for {@code /busy} on, so that the events of all sockets wait. */
    private static final class BusyLoop extends ExchangeStage {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        BusyLoop() {
            super(StageName.VERIFY);
        }

        @Override
        protected void onExchange(Exchange exchange) {
            if (!exchange.request().path().equals("/busy")) {
                proceed(exchange);
                return;
            }
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.refuse(Refusal.NOT_IMPLEMENTED);
        }
    }

    /** Runs the events while the loop is busy; it gets to them in this order. */
    private void whileBusy(Runnable... events) throws InterruptedException {
        whileBusy(gateway(), events);
    }

    private void whileBusy(CoreGateway of, Runnable... events) throws InterruptedException {
        try (RawClient other = new RawClient(of.port())) {
            other.send(GET.replace(" / ", " /busy "));
            busy.begun.await();
            for (Runnable event : events) {
                event.run();
            }
            busy.end.countDown();
            assertThat(other.read().status()).isEqualTo(501);
        }
    }

    /** Returns the gateway's idle connection to the origin. */
    private Line kept(RawClient client) {
        client.send(GET);
        Line line = origin.accept();
        line.readHead();
        line.ok("kept");
        assertThat(client.read().body()).isEqualTo("kept");
        return line;
    }

    // ---- a request on a connection that is closed already

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\n\r\n",
                "DELETE / HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody",
                GET,
            })
    void sendsNothingOnAConnectionThatWasClosed(String request) throws InterruptedException {
        try (RawClient client = new RawClient(gateway().port())) {
            Line line = kept(client);
            whileBusy(() -> client.send(request), line::close);
            Line fresh = origin.accept();
            fresh.readHead();
            fresh.ok("fresh");
            assertThat(client.read().body()).isEqualTo("fresh");
        }
    }

    @Test
    void aFarewellOfTheServerIsNoResponse() throws InterruptedException {
        try (RawClient client = new RawClient(gateway().port())) {
            Line line = kept(client);
            whileBusy(
                    () -> client.send(POST + "4\r\n\r\nbody"),
                    () -> line.send("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                            .finish());
            Line fresh = origin.accept();
            fresh.readHead();
            fresh.ok("fresh");
            assertThat(client.read().body()).isEqualTo("fresh");
        }
    }

    // ---- a response behind which the upstream closes with our body unread

    /** Client that sends a body as fast as it is taken. */
    private static final class Upload {

        private final AtomicLong taken = new AtomicLong();
        private long previous = -1;

        Upload(Runnable piece) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            for (int i = 0; i < MANY / PIECE; i++) {
                                piece.run();
                                taken.addAndGet(PIECE);
                            }
                        } catch (IllegalStateException e) {
                            // closed behind the response
                        }
                    },
                    "upload");
            thread.setDaemon(true);
            thread.start();
        }

        /** Returns whether nothing was taken since the previous call: every buffer on the way is full. */
        boolean stopped() {
            long current = taken.get();
            boolean same = current > 0 && current == previous;
            previous = current;
            return same;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 3\r\n\r\ntoo", "Transfer-Encoding: chunked\r\n\r\n3\r\ntoo\r\n0\r\n\r\n"})
    void deliversAResponseToABodyThatWasNotRead(String rest) throws InterruptedException {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST + MANY + "\r\n\r\n");
            Line line = origin.accept();
            line.readHead();
            Upload upload = new Upload(() -> client.send(BODY));
            await().until(upload::stopped);
            whileBusy(() -> line.send("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n" + rest)
                    .close());
            Response response = client.read();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).isEqualTo("too");
        }
        try (RawClient next = new RawClient(gateway().port())) {
            next.send(GET);
            Line fresh = origin.accept();
            fresh.readHead();
            fresh.ok("next");
            assertThat(next.read().body()).isEqualTo("next");
        }
    }

    @Test
    void deliversAResponseWhenTheNextPieceOfTheBodyComesFirst() throws InterruptedException {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST + 3 * PIECE + "\r\n\r\n" + BODY);
            Line line = origin.accept();
            line.readHead();
            whileBusy(
                    () -> client.send("01234"),
                    () -> line.send(
                                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 3\r\n\r\nwho")
                            .close());
            Response response = client.read();
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.field("WWW-Authenticate")).isEqualTo("Basic");
            assertThat(response.body()).isEqualTo("who");
        }
    }

    @Test
    void deliversItToAClientOfHttp2() throws InterruptedException {
        try (FrameClient client = FrameClient.connect(gateway().port())) {
            client.post(1, "/", "content-length", "60000").data(1, false, "x".repeat(16_000));
            client.data(1, false, "x".repeat(16_000));
            Line line = origin.accept();
            line.readHead();
            whileBusy(
                    () -> client.data(1, false, "01234"),
                    () -> line.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\ntoo")
                            .close());
            FrameClient.Response response = client.response(1);
            assertThat(response.status()).isEqualTo("413");
            assertThat(response.body()).isEqualTo("too");
        }
    }

    @Test
    void aResponseOfUnknownLengthIsNotCompleteBeforeAReset() throws Exception {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST + 3 * PIECE + "\r\n\r\n" + BODY);
            Line line = origin.accept();
            line.readHead();
            whileBusy(
                    () -> client.send("01234"),
                    () -> line.send("HTTP/1.1 413 Content Too Large\r\n\r\nhalf")
                            .close());
            await().until(() -> gateway().ended().size() == 2);
            assertThat(gateway().ended())
                    .filteredOn(ended -> ended.request().hasBody())
                    .allMatch(ended -> ended.outcome().cut() || ended.outcome().refusal() == Refusal.UPSTREAM_CLOSED);
        }
    }

    @Test
    void refusesWhenTheUpstreamSaidNothing() throws InterruptedException {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST + 3 * PIECE + "\r\n\r\n" + BODY);
            Line line = origin.accept();
            line.readHead();
            whileBusy(() -> client.send("01234"), line::close);
            assertThat(client.read().body()).contains("\"code\":\"upstream-closed\"");
        }
    }

    // ---- the same of HTTP/2

    /** The server permits far more than the sockets take, reads nothing, and closes: a reset. */
    @Test
    void deliversAResponseOfHttp2BehindWhichTheConnectionIsReset() throws InterruptedException {
        try (RawClient client = new RawClient(gateway2().port())) {
            client.send(POST + MANY + "\r\n\r\n");
            FrameClient server = origin2.accept(INITIAL_WINDOW, MANY).window(0, MANY);
            server.await(HEADERS);
            Upload upload = new Upload(() -> client.send(BODY));
            await().until(upload::stopped);
            whileBusy(
                    gateway2(),
                    () -> server.headers(1, false, ":status", "413")
                            .data(1, true, "too")
                            .close());
            Response response = client.read();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).isEqualTo("too");
        }
    }

    @Test
    void deliversAResponseOfHttp2WhenTheNextPieceOfTheBodyComesFirst() throws InterruptedException {
        try (RawClient client = new RawClient(gateway2().port())) {
            client.send(POST + "20\r\n\r\n0123456789");
            FrameClient server = origin2.accept();
            server.await(HEADERS);
            whileBusy(
                    gateway2(),
                    () -> client.send("01234"),
                    () -> server.headers(1, false, ":status", "401", "www-authenticate", "Basic")
                            .data(1, true, "who")
                            .close());
            Response response = client.read();
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.body()).isEqualTo("who");
        }
    }

    /** The part of a response that arrived is no whole response, and the next request gets a new connection. */
    @Test
    void aPartOfAResponseOfHttp2IsNotCompleteBeforeAReset() throws InterruptedException {
        try (FrameClient client = FrameClient.connect(gateway2().port())) {
            client.post(1, "/", "content-length", "20").data(1, false, "0123456789");
            FrameClient server = origin2.accept();
            server.await(HEADERS);
            whileBusy(
                    gateway2(),
                    () -> client.data(1, false, "01234"),
                    () -> server.headers(1, false, ":status", "200")
                            .data(1, false, "half")
                            .close());
            assertThat(client.response(1).reset()).isEqualTo("INTERNAL_ERROR");
            client.get(3, "/");
            FrameClient next = origin2.accept();
            next.await(HEADERS);
            next.headers(1, true, ":status", "204");
            assertThat(client.response(3).status()).isEqualTo("204");
        }
    }

    @Test
    void refusesWhenAnUpstreamOfHttp2SaidNothing() throws InterruptedException {
        try (RawClient client = new RawClient(gateway2().port())) {
            client.send(POST + "20\r\n\r\n0123456789");
            FrameClient server = origin2.accept();
            server.await(HEADERS);
            whileBusy(gateway2(), () -> client.send("01234"), server::close);
            assertThat(client.read().body()).contains("\"code\":\"upstream-closed\"");
        }
    }

    @Test
    void deliversAResponseOfHttp2BehindWhichTheStreamIsReset() {
        try (RawClient client = new RawClient(gateway2().port());
                FrameClient client2 = FrameClient.connect(gateway2().port())) {
            client.send(POST + "20\r\n\r\n0123456789");
            FrameClient server = origin2.accept();
            server.await(HEADERS);
            server.headers(1, false, ":status", "413")
                    .data(1, true, "too")
                    .frame(FrameClient.RST_STREAM, 0, 1, new byte[4]);
            assertThat(client.read().body()).isEqualTo("too");
            client2.post(1, "/", "content-length", "20").data(1, false, "0123456789");
            server.await(HEADERS);
            server.headers(3, false, ":status", "401")
                    .data(3, true, "who")
                    .frame(FrameClient.RST_STREAM, 0, 3, new byte[4]);
            assertThat(client2.response(1).status()).isEqualTo("401");
            assertThat(client2.soFar(1).body()).isEqualTo("who");
            assertThat(server.outcome(0)).as("the connection").isEqualTo("ALIVE");
        }
    }
}
