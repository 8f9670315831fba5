package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
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

/** Tests the frames of a response, its buffers, and 100 (Continue). */
@ExtendWith(LeakExtension.class)
class Http2ResponseWriterTest {

    private static final int MAX_HEADER_LIST = 6;

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();

    @AfterEach
    void close() {
        server.close();
    }

    // ---- head, data, end

    /** Calls on a response, and the frames that they cause. */
    record Written(String calls, List<String> frames, Consumer<ResponseSink> response) {

        @Override
        public String toString() {
            return calls;
        }
    }

    private static Written row(String calls, Consumer<ResponseSink> response, String... frames) {
        return new Written(calls, List.of(frames), response);
    }

    static List<Written> responses() {
        return List.of(
                row("nothing", r -> {}),
                row("head", r -> r.head(head(200))),
                row(
                        "head, flush",
                        r -> {
                            r.head(head(200));
                            r.flush();
                        },
                        "HEADERS 1 200"),
                row(
                        "head, end",
                        r -> {
                            r.head(head(200));
                            r.end();
                        },
                        "HEADERS 1 200 END"),
                row(
                        "head, flush, end",
                        r -> {
                            r.head(head(200));
                            r.flush();
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 END"),
                row("head, data", r -> {
                    r.head(head(200));
                    r.data(data("ab"));
                }),
                row(
                        "head, data, end",
                        r -> {
                            r.head(head(200));
                            r.data(data("ab"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 ab END"),
                row(
                        "head, data, flush, end",
                        r -> {
                            r.head(head(200));
                            r.data(data("ab"));
                            r.flush();
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 ab END"),
                row(
                        "head, flush, data, end",
                        r -> {
                            r.head(head(200));
                            r.flush();
                            r.data(data("ab"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 ab END"),
                row(
                        "head, data, data, end",
                        r -> {
                            r.head(head(200));
                            r.data(data("ab"));
                            r.data(data("c"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 abc END"),
                row(
                        "interim, head, end",
                        r -> {
                            r.interim(head(103));
                            r.head(head(200));
                            r.end();
                        },
                        "HEADERS 1 103",
                        "HEADERS 1 200 END"),
                row(
                        "head, trailers, end",
                        r -> {
                            r.head(head(200));
                            r.trailers(trailers("x-sum", "7"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "HEADERS 1 x-sum=7 END"),
                row(
                        "head, data, trailers, end",
                        r -> {
                            r.head(head(200));
                            r.data(data("ab"));
                            r.trailers(trailers("x-sum", "7"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 ab",
                        "HEADERS 1 x-sum=7 END"),
                row(
                        "head, data, end, and all again",
                        r -> {
                            for (int i = 0; i < 2; i++) {
                                r.interim(head(103 - i));
                                r.head(head(200 + i));
                                r.data(data("ab"));
                                r.trailers(trailers("x-sum", "7"));
                                r.end();
                                r.flush();
                            }
                        },
                        "HEADERS 1 103",
                        "HEADERS 1 200",
                        "DATA 1 ab",
                        "HEADERS 1 x-sum=7 END"),
                row("cut", ResponseSink::cut, "RST 1 INTERNAL_ERROR"),
                row(
                        "head, cut",
                        r -> {
                            r.head(head(200));
                            r.cut();
                        },
                        "RST 1 INTERNAL_ERROR"),
                row(
                        "head, data, flush, data, cut",
                        r -> {
                            r.head(head(200));
                            r.data(data("ab"));
                            r.flush();
                            r.data(data("c"));
                            r.cut();
                            r.data(data("d"));
                            r.end();
                        },
                        "HEADERS 1 200",
                        "DATA 1 ab",
                        "RST 1 INTERNAL_ERROR"),
                row("cut for malformed content", ResponseSink::cutMalformed, "RST 1 PROTOCOL_ERROR"),
                row(
                        "head, end, cut",
                        r -> {
                            r.head(head(200));
                            r.end();
                            r.cut();
                            r.cutMalformed();
                        },
                        "HEADERS 1 200 END"));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void writes(Written row) {
        row.response().accept(server.greet().get(1).response());

        assertThat(server.sent()).isEqualTo(row.frames());
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200, false",
        "GET, 204, false",
        "GET, 304, false",
        "GET, 205, true",
        "GET, 200, true",
        "POST, 404, true",
    })
    void dropsContentWhereThereIsNone(String method, int status, boolean content) {
        server.greet();
        client.headers(1, true, FrameClient.request(method, "/"));
        Exchange exchange = server.exchange();
        exchange.response().head(head(status, "content-length", "2"));
        exchange.response().data(data("ab"));
        exchange.response().end();

        assertThat(server.sent())
                .isEqualTo(
                        content
                                ? List.of("HEADERS 1 " + status, "DATA 1 ab END")
                                : List.of("HEADERS 1 " + status + " END"));
        assertThat(client.soFar(1).field("content-length")).isEqualTo(status == 204 ? "" : "2");
        assertThat(exchange.outcome().bytesOut()).isEqualTo(content ? 2 : 0);
        assertThat(exchange.ended()).isTrue();
    }

    @Test
    void addsADateAndTheFieldsOfTheStages() {
        Exchange exchange = server.greet().get(1);
        exchange.addResponseField(Field.of(FieldName.VIA, "postern"));
        exchange.response().head(head(200, "connection", "close", "keep-alive", "5", "X-Upper", "a"));
        exchange.response().end();
        server.sent();

        assertThat(client.soFar(1).field("via")).isEqualTo("postern");
        assertThat(client.soFar(1).field("date")).isNotEmpty();
        assertThat(client.soFar(1).field("x-upper")).isEqualTo("a");
        assertThat(client.soFar(1).field("connection") + client.soFar(1).field("keep-alive"))
                .isEmpty();
    }

    @Test
    void dropsTrailersThatCouldBeReadInTwoWays() {
        Exchange exchange = server.greet().get(1);
        exchange.response().head(head(200));
        exchange.response().data(data("ab"));
        exchange.response().trailers(trailers("x-sum", "7\r\nx-a: b"));
        exchange.response().end();

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 ab END");
        assertThat(exchange.outcome().ambiguous()).isTrue();
    }

    @Test
    void endsTheExchangeWithItsLastByte() {
        Exchange exchange = server.greet().get(1);
        List<String> ends = new ArrayList<>();
        exchange.whenEnded(ended -> ends.add("cut " + ended.outcome().cut()));
        exchange.response().head(head(200));
        exchange.response().data(data("ab"));
        assertThat(ends).isEmpty();

        exchange.response().end();
        server.sent();
        assertThat(ends).containsExactly("cut false");
        assertThat(exchange.timeline().nanos(StageName.SEND)).isNotNegative();
    }

    // ---- buffers

    @ParameterizedTest
    @CsvSource({"5, true", "2048, true", "2049, false"})
    void aSmallResponseIsOneBuffer(int length, boolean one) {
        Exchange exchange = server.greet().get(1);
        ok(exchange, "x".repeat(length));
        server.channel().runPendingTasks();

        assertThat(server.channel().outboundMessages().size() == 1).isEqualTo(one);
        assertThat(server.sent()).hasSize(2);
        assertThat(client.soFar(1).length()).isEqualTo(length);
        assertThat(client.soFar(1).ended()).isTrue();
    }

    @Test
    void aSmallBodyAfterALongHeadArrives() {
        Exchange exchange = server.greet().get(1);
        exchange.response().head(head(200, "x-long", "X".repeat(20_000))); // which Huffman coding does not shorten
        exchange.response().data(data("abc"));
        exchange.response().end();
        server.sent();

        assertThat(client.soFar(1).body()).isEqualTo("abc");
        assertThat(client.soFar(1).field("x-long")).hasSize(20_000);
        assertThat(client.soFar(1).ended()).isTrue();
    }

    @Test
    void sendsLongHeadsDespiteASmallHeaderListSize() {
        ok(server.greet(MAX_HEADER_LIST, 40).get(1), "abc");
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 abc END");
    }

    @Test
    void replacesNothing() {
        ResponseSink response = server.greet().get(1).response();
        response.head(head(200));
        assertThat(response.replace(Refusal.UPSTREAM_MALFORMED)).isFalse();
    }

    // ---- 100 (Continue)

    @Test
    void asksForTheBodyOnce() {
        Exchange exchange = server.greet().post(1, "expect", "100-continue");
        assertThat(server.sent()).isEmpty();
        BodyEvents body = new BodyEvents();
        exchange.body().read(body);
        assertThat(server.sent()).containsExactly("HEADERS 1 100");
        client.data(1, true, "ab");
        ok(exchange, "yes");

        assertThat(body.take()).containsExactly("ab", "end", "read");
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 yes END");
    }

    @Test
    void asksForNoBodyThatHasBegunOrThatNobodyExpects() {
        server.greet();
        Exchange begun = server.post(1, "expect", "100-continue");
        client.data(1, false, "ab");
        begun.body().read(new BodyEvents());
        Exchange plain = server.post(3);
        plain.body().read(new BodyEvents());
        Exchange responded = server.post(5, "expect", "100-continue");
        responded.response().head(head(200));
        responded.body().read(new BodyEvents());

        assertThat(server.sent()).noneMatch(frame -> frame.endsWith(" 100"));
    }

    @Test
    void theTimeUntilTheSocketTookItBelongsToTheResponse() {
        Exchange exchange = server.greet().get(1);
        server.channel().blocked(true);
        ok(exchange, "abc");
        server.sent();
        server.pass(Duration.ofSeconds(3));
        assertThat(exchange.ended()).isFalse();
        server.channel().blocked(false);

        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.timeline().nanos(StageName.SEND)).isEqualTo(3_000_000_000L);
    }
}
