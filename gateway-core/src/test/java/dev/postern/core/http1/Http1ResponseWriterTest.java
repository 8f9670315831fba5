package dev.postern.core.http1;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TunnelEvents;
import dev.postern.core.transport.OutboundBytesLimiter;
import dev.postern.core.transport.WriteTimeoutHandler;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the bytes of a response, its end in each way, its buffers, and tunnels. */
@ExtendWith(LeakExtension.class)
class Http1ResponseWriterTest {

    private static final String OK = "HTTP/1.1 200 OK~";
    private static final String WEB_SOCKET = "GET /chat HTTP/1.1~Host: a~Connection: upgrade~Upgrade: websocket~~";
    private static final String CHUNKED = OK + "transfer-encoding: chunked~~";

    private final Http1Channel server = new Http1Channel();

    @AfterEach
    void close() {
        server.close();
    }

    private boolean open() {
        return server.channel().isOpen();
    }

    // ---- head, data, end

    /** Calls on a response, and the bytes that they cause. */
    record Written(String calls, String bytes, boolean open, Consumer<ResponseSink> response) {

        @Override
        public String toString() {
            return calls;
        }
    }

    private static Written row(String calls, String bytes, Consumer<ResponseSink> response) {
        return new Written(calls, bytes, true, response);
    }

    private static Written cut(String calls, String bytes, Consumer<ResponseSink> response) {
        return new Written(calls, bytes, false, response);
    }

    static List<Written> responses() {
        return List.of(
                row("nothing", "", r -> {}),
                row("head", "", r -> r.head(head(200))),
                row("head, flush", CHUNKED, r -> {
                    r.head(head(200));
                    r.flush();
                }),
                row("head, end", CHUNKED + "0~~", r -> {
                    r.head(head(200));
                    r.end();
                }),
                row("head of a length, data, end", OK + "content-length: 2~~ab", r -> {
                    r.head(head(200, "content-length", "2").bodyLength(2));
                    r.data(data("ab"));
                    r.end();
                }),
                row("head, data", "", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                }),
                row("head, data, end", CHUNKED + "2~ab~0~~", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                    r.end();
                }),
                row("head, data, flush, data, end", CHUNKED + "2~ab~1~c~0~~", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                    r.flush();
                    r.data(data("c"));
                    r.end();
                }),
                row("head, nothing, end", CHUNKED + "0~~", r -> {
                    r.head(head(200));
                    r.data(data(""));
                    r.end();
                }),
                row("interim, head, end", "HTTP/1.1 103 Early Hints~~" + CHUNKED + "0~~", r -> {
                    r.interim(head(103));
                    r.head(head(200));
                    r.end();
                }),
                row("head, data, trailers, end", CHUNKED + "2~ab~0~x-sum: 7~~", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                    r.trailers(trailers("x-sum", "7"));
                    r.end();
                }),
                row("head, flush, trailers, end", CHUNKED + "0~x-sum: 7~~", r -> {
                    r.head(head(200));
                    r.flush();
                    r.trailers(trailers("x-sum", "7"));
                    r.end();
                }),
                row("trailers of a body of known length", OK + "content-length: 2~~ab", r -> {
                    r.head(head(200, "content-length", "2").bodyLength(2));
                    r.data(data("ab"));
                    r.trailers(trailers("x-sum", "7"));
                    r.end();
                }),
                row("head, data, end, and all again", CHUNKED + "2~ab~0~~", r -> {
                    for (int i = 0; i < 2; i++) {
                        r.head(head(200 + i));
                        r.data(data("ab"));
                        r.end();
                        r.flush();
                        r.interim(head(103));
                    }
                }),
                cut("cut", "", ResponseSink::cut),
                cut("head, cut", CHUNKED, r -> {
                    r.head(head(200));
                    r.cut();
                }),
                cut("head, data, flush, data, cut", CHUNKED + "2~ab~1~c~", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                    r.flush();
                    r.data(data("c"));
                    r.cut();
                    r.data(data("d"));
                    r.end();
                }),
                row("head, end, cut", CHUNKED + "0~~", r -> {
                    r.head(head(200));
                    r.end();
                    r.cut();
                    r.cutMalformed();
                }));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void writes(Written row) {
        Exchange exchange = server.get();
        row.response().accept(exchange.response());

        assertThat(server.sent()).isEqualTo(row.bytes());
        assertThat(open()).isEqualTo(row.open());
        assertThat(exchange.outcome().cut()).isEqualTo(!row.open());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HEAD | 200 | 2  | HTTP/1.1 200 OK~content-length: 2~~",
                "HEAD | 200 | -1 | HTTP/1.1 200 OK~~",
                "GET  | 204 | 2  | HTTP/1.1 204 No Content~~",
                "GET  | 304 | 2  | HTTP/1.1 304 Not Modified~content-length: 2~~",
                "GET  | 304 | -1 | HTTP/1.1 304 Not Modified~~",
                "GET  | 404 | 2  | HTTP/1.1 404 Not Found~content-length: 2~~ab",
            })
    void dropsContentWhereThereIsNone(String method, int status, int length, String bytes) {
        Exchange exchange = server.request(method, "HTTP/1.1");
        ResponseHead head = head(status).bodyLength(length);
        if (length >= 0) {
            head.add(FieldName.CONTENT_LENGTH, Integer.toString(length));
        }
        exchange.response().head(head);
        exchange.response().data(data("ab"));
        exchange.response().end();

        assertThat(server.sent()).isEqualTo(bytes);
        assertThat(exchange.ended()).isTrue();
        assertThat(open()).isTrue();
    }

    /** A client of HTTP/1.0 knows no chunks, and keeps its connection only when both say so. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 | x: y                   | 2  | content-length: 2~~ab                         | true",
                "HTTP/1.1 | Connection: close      | 2  | content-length: 2~connection: close~~ab       | false",
                "HTTP/1.1 | Connection: close      | -1 | transfer-encoding: chunked~connection: close~~2~ab~0~~ | false",
                "HTTP/1.1 | x: y                   | -2 | transfer-encoding: chunked~~2~ab~0~~           | true",
                "HTTP/1.0 | x: y                   | 2  | content-length: 2~connection: close~~ab       | false",
                "HTTP/1.0 | Connection: keep-alive | 2  | content-length: 2~connection: keep-alive~~ab  | true",
                "HTTP/1.0 | Connection: keep-alive | -1 | connection: close~~ab                         | false",
                "HTTP/1.0 | Connection: keep-alive | -2 | connection: close~~ab                         | false",
            })
    void framesTheBody(String version, String field, int length, String bytes, boolean open) {
        Exchange exchange = server.request("GET", version, field);
        ResponseHead head = head(200).bodyLength(length);
        if (length >= 0) {
            head.add(FieldName.CONTENT_LENGTH, Integer.toString(length));
        }
        exchange.response().head(head);
        exchange.response().data(data("ab"));
        exchange.response().end();

        assertThat(server.sent()).isEqualTo(OK + bytes);
        assertThat(open()).isEqualTo(open);
        assertThat(exchange.outcome().cut()).isFalse();
        assertThat(exchange.ended()).isTrue();
    }

    @Test
    void sendsNoInterimHeadToAClientOfHttp10() {
        Exchange exchange = server.request("GET", "HTTP/1.0");
        exchange.response().interim(head(103));
        exchange.response().flush();
        assertThat(server.sent()).isEmpty();
    }

    @Test
    void sendsNothingBeforeAFlush() {
        Exchange exchange = server.get();
        exchange.response().interim(head(103));
        exchange.response().head(head(200));
        exchange.response().data(data(100_000));
        assertThat(server.sent()).isEmpty();
        exchange.response().flush();
        assertThat(server.sent()).hasSizeGreaterThan(100_000);
    }

    @Test
    void addsTheFieldsOfTheStages() {
        Exchange exchange = server.get();
        exchange.addResponseField(Field.of(FieldName.VIA, "1.1 postern"));
        exchange.response().head(head(200).bodyLength(0));
        exchange.response().end();
        assertThat(server.sent()).isEqualTo(OK + "via: 1.1 postern~~");
    }

    @Test
    void serves100ContinueOnceTheBodyIsWanted() {
        server.send("POST / HTTP/1.1~Host: a.example~Content-Length: 2~Expect: 100-continue~~");
        Exchange exchange = server.exchange();
        assertThat(server.sent()).isEmpty();
        BodyEvents body = new BodyEvents();
        exchange.body().read(body);
        assertThat(server.sent()).isEqualTo("HTTP/1.1 100 Continue~~");
        server.send("ab");
        assertThat(body.take()).contains("ab", "end");
        exchange.response().head(head(200).bodyLength(0));
        exchange.response().end();
        assertThat(server.sent()).isEqualTo(OK + "~");
    }

    // ---- buffers

    /** The head is held back until the first data, so that a small response is one buffer. */
    @ParameterizedTest
    @CsvSource({
        "2, 2, 1",
        "2048, 2048, 1",
        "2049, 2049, 2",
        "-1, 2, 1",
        "-1, 2048, 1",
        "-1, 2049, 2",
        "-1, 16384, 2",
        "-1, 16385, 3",
    })
    void aSmallResponseIsOneBuffer(int announced, int length, int buffers) {
        ResponseSink response = server.get().response();
        response.head(head(200).bodyLength(announced));
        response.data(data(length));
        response.end();

        assertThat(server.buffers()).isEqualTo(buffers);
        String body = "x".repeat(length);
        String bytes = announced < 0 ? CHUNKED + Integer.toHexString(length) + "~" + body + "~0~~" : OK + "~" + body;
        assertThat(server.sent()).isEqualTo(bytes);
    }

    @Test
    void largePiecesAreNotCopied() {
        ResponseSink response = server.get().response();
        ByteBuf large = data(20_000);
        response.head(head(200));
        response.data(data(1_000));
        response.data(large.retain());
        response.data(data(1_000));
        response.end();
        List<Object> parts = new ArrayList<>(server.channel().outboundMessages());

        assertThat(parts).anySatisfy(part -> assertThat(part).isSameAs(large));
        String small = "3e8~" + "x".repeat(1_000) + "~";
        assertThat(server.sent()).isEqualTo(CHUNKED + small + "4e20~" + "x".repeat(20_000) + "~" + small + "0~~");
        large.release();
    }

    @Test
    void reportsWhatTheSocketHasNotAccepted() {
        Exchange exchange = server.get();
        server.channel().blocked(true);
        List<String> calls = new ArrayList<>();
        exchange.response().onWritable(() -> calls.add("writable"));
        exchange.response().head(head(200));
        exchange.response().data(data(30_000));
        exchange.response().flush();
        assertThat(exchange.response().writable()).isTrue();
        exchange.response().data(data(40_000));
        exchange.response().flush();
        assertThat(exchange.response().writable()).isFalse();
        assertThat(exchange.response().unsent()).isBetween(70_000L, 71_000L);
        server.channel().blocked(false);

        assertThat(calls).containsExactly("writable");
        assertThat(exchange.response().unsent()).isZero();
    }

    // ---- tunnels

    @Test
    void becomesATunnelBehindItsHead() {
        server.send("GET /chat HTTP/1.1~Host: a~Connection: upgrade~Upgrade: websocket~~early");
        Exchange exchange = server.exchange();
        TunnelEvents tunnel = new TunnelEvents();
        exchange.response().head(head(101, "upgrade", "websocket"));
        exchange.response().data(data("dropped"));
        exchange.response().tunnel(tunnel);
        exchange.response().data(data("dropped too"));

        assertThat(server.sent()).isEqualTo("HTTP/1.1 101 Switching Protocols~upgrade: websocket~~");
        assertThat(tunnel.take()).startsWith("early");
        assertThat(exchange.ended()).isTrue();
        server.send("ping");
        assertThat(tunnel.take()).startsWith("ping");
        tunnel.client().write(data("pong"));
        tunnel.client().flush();
        assertThat(server.sent()).isEqualTo("pong");
        List<String> calls = new ArrayList<>();
        exchange.whenOver(() -> calls.add("over"));
        assertThat(calls).isEmpty();
        server.channel().lose();
        assertThat(calls).containsExactly("over");
    }

    private TunnelEvents openTunnel() {
        TunnelEvents tunnel = new TunnelEvents();
        Exchange exchange = server.exchange();
        exchange.response().head(head(101, "upgrade", "websocket"));
        exchange.response().tunnel(tunnel);
        server.sent();
        return tunnel;
    }

    @Test
    void aTunnelThatOpensDuringADrainHearsOfIt() {
        server.send(WEB_SOCKET);
        server.state().begin();
        assertThat(openTunnel().take()).contains("draining");
    }

    /** Tunnels have an idle time of their own. */
    @Test
    void aTunnelIsExemptFromTheWriteTimeout() {
        Duration timeout = Duration.ofSeconds(20);
        List<String> calls = new ArrayList<>();
        server.channel()
                .pipeline()
                .addFirst(new WriteTimeoutHandler(
                        server.channel(), timeout, new OutboundBytesLimiter(0), () -> calls.add("stalled")));
        server.send(WEB_SOCKET);
        TunnelEvents tunnel = openTunnel();
        server.channel().blocked(true);
        tunnel.client().write(data("waits"));
        tunnel.client().flush();
        server.channel().pass(timeout.multipliedBy(3));

        assertThat(calls).isEmpty();
        assertThat(open()).isTrue();
        server.channel().blocked(false);
        assertThat(server.sent()).isEqualTo("waits");
    }
}
