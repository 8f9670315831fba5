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
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the frames of a response, its end in each way, and what waits for a client that reads slowly. */
@ExtendWith(LeakExtension.class)
class Http2ResponseWriterTest {

    private static final int INITIAL_WINDOW = 4;
    private static final int MAX_HEADER_LIST = 6;
    private static final int DEFAULT_WINDOW = 65_535;

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
    void writesSeparatelyWhileTheSocketIsFull() {
        Exchange one = server.greet().get(1);
        Exchange two = server.get(3);
        server.channel().blocked(true);
        one.response().head(head(200));
        one.response().data(data(60_000));
        one.response().flush();
        ok(two, "abc");
        assertThat(server.sent()).isEmpty();
        server.channel().blocked(false);

        assertThat(server.sent()).contains("HEADERS 1 200", "HEADERS 3 200", "DATA 3 abc END");
    }

    // ---- flow control

    @Test
    void staysWithinTheWindowOfTheStream() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 3).get(1);
        ok(exchange, "hello");
        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 hel");
        assertThat(exchange.ended()).isFalse();

        client.window(1, 1);
        assertThat(server.sent()).containsExactly("DATA 1 l");
        client.window(1, 9);
        assertThat(server.sent()).containsExactly("DATA 1 o END");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isFalse();
    }

    /** The window shrinks below zero when SETTINGS change it (RFC 9113 section 6.9.2). */
    @Test
    void smallResponsesUseTheWindowOfTheStream() {
        server.greet(INITIAL_WINDOW, 1500);
        ok(server.get(1), "x".repeat(1000));
        client.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(INITIAL_WINDOW, 999));
        ok(server.get(3), "x".repeat(1000));
        assertThat(server.sent())
                .containsSubsequence("DATA 1 (1000) END", "HEADERS 3 200", "DATA 3 (999)")
                .doesNotContain("DATA 3 x END");
        client.window(3, 1);
        assertThat(server.sent()).containsExactly("DATA 3 x END");
    }

    @Test
    void smallResponsesUseTheWindowOfTheConnection() {
        server.greet();
        int streams = 70;
        for (int id = 1; id < 2 * streams; id += 2) {
            ok(server.get(id), "x".repeat(1000));
        }
        server.sent();
        assertThat(received(streams)).isEqualTo(DEFAULT_WINDOW);

        client.window(0, 100_000);
        server.sent();
        assertThat(received(streams)).isEqualTo(streams * 1000);
    }

    private int received(int streams) {
        int bytes = 0;
        for (int id = 1; id < 2 * streams; id += 2) {
            bytes += client.soFar(id).length();
        }
        return bytes;
    }

    @Test
    void pausesTheUpstreamAt64KiBAndResumesItBelow() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        ResponseSink response = exchange.response();
        List<String> calls = new ArrayList<>();
        response.onWritable(() -> calls.add("writable"));
        response.head(head(200));
        response.data(data(40_000));
        assertThat(response.writable()).isTrue();
        assertThat(response.unsent()).isEqualTo(40_000);
        response.data(data(25_535));
        assertThat(response.writable()).isTrue();
        response.flush();
        assertThat(response.unsent()).isEqualTo(65_535);
        response.data(data(1));
        assertThat(response.writable()).isFalse();
        assertThat(response.unsent()).isEqualTo(65_536);
        server.sent();
        assertThat(calls).isEmpty();

        client.window(1, 40_000);
        assertThat(calls).containsExactly("writable");
        assertThat(response.writable()).isTrue();
        client.window(1, 25_535);
        assertThat(calls).as("it was writable all the time").containsExactly("writable");
        assertThat(response.unsent()).isEqualTo(1);
    }

    /** A queue of tiny frames takes more memory than their bytes. */
    @Test
    void countsTinyPiecesByTheirCost() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        exchange.response().head(head(200));
        int pieces = 0;
        while (exchange.response().writable()) {
            exchange.response().data(data(1));
            exchange.response().flush();
            pieces++;
        }

        assertThat(pieces).isEqualTo(256);
        client.window(1, pieces);
        server.sent();
        assertThat(exchange.response().unsent()).isZero();
    }

    @Test
    void notifiesNobodyAfterTheEnd() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 0).get(1);
        List<String> calls = new ArrayList<>();
        exchange.response().onWritable(() -> calls.add("writable"));
        exchange.response().head(head(200));
        exchange.response().data(data(70_000));
        exchange.response().flush();
        assertThat(exchange.response().writable()).isFalse();
        exchange.response().data(data("last"));
        exchange.response().end();
        client.window(0, 100_000).window(1, 100_000);
        server.sent();

        assertThat(calls).isEmpty();
        assertThat(client.soFar(1).ended()).isTrue();
        assertThat(exchange.ended()).isTrue();
    }

    // ---- resets of the client

    @Test
    void aResetEndsTheExchangeAndDropsWhatWasHeld() {
        Exchange exchange = server.greet().get(1);
        exchange.response().head(head(200));
        exchange.response().data(data("ab"));
        client.reset(1);
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();

        exchange.response().data(data("c"));
        exchange.response().trailers(trailers("x-sum", "7"));
        exchange.response().end();
        assertThat(server.sent()).isEmpty();
    }

    @Test
    void aResetBeforeTheQueuedEndWasSentCutsTheResponse() {
        Exchange exchange = server.greet(INITIAL_WINDOW, 3).get(1);
        ok(exchange, "hello");
        server.sent();
        client.reset(1);

        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    @Test
    void aClosedConnectionCutsEveryResponse() {
        Exchange one = server.greet(INITIAL_WINDOW, 3).get(1);
        Exchange two = server.get(3);
        Exchange done = server.get(5);
        ok(one, "hello");
        two.response().head(head(200));
        two.response().data(data("held"));
        done.response().head(head(200));
        done.response().end();
        server.sent();
        server.channel().lose();

        assertThat(one.outcome().cut()).isTrue();
        assertThat(two.outcome().cut()).isTrue();
        assertThat(done.outcome().cut()).isFalse();
        assertThat(List.of(one, two, done)).allMatch(Exchange::ended);
    }

    /** RFC 9113 section 5.1: no frame follows a reset of either side. */
    @Test
    void aResetByTheGatewayComesBehindWhatWasWrittenBefore() {
        server.answer(exchange -> {
                    exchange.response().head(head(200));
                    exchange.response().data(data("some"));
                    exchange.response().flush();
                })
                .greet();
        byte[] get = FrameClient.raw(
                FrameClient.HEADERS,
                FrameClient.END_HEADERS | FrameClient.END_STREAM,
                1,
                FieldBlock.of(FrameClient.request("GET", "/")));
        byte[] both = Arrays.copyOf(get, get.length + 13);
        System.arraycopy(FrameClient.raw(FrameClient.WINDOW_UPDATE, 0, 1, new byte[4]), 0, both, get.length, 13);
        client.bytes(both);

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 some", "RST 1 PROTOCOL_ERROR");
    }

    // ---- a request that is not read to its end

    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "65536, ''",
        "65537, RST 1 NO_ERROR",
    })
    void resetsAfterAnEarlyResponseUnlessTheRestIsSmall(int outstanding, String reset) {
        Exchange exchange = server.greet().post(1, "content-length", Integer.toString(outstanding + 2));
        client.data(1, false, "ab");
        ok(exchange, "no");

        List<String> frames = server.sent();
        assertThat(exchange.ended()).isTrue();
        if (reset.isEmpty()) {
            assertThat(frames).contains("DATA 1 no END").noneMatch(f -> f.startsWith("RST"));
        } else {
            assertThat(frames).containsSubsequence("DATA 1 no END", reset);
        }
    }

    @Test
    void discardsASmallRest() {
        Exchange exchange = server.greet().post(1);
        ok(exchange, "no");
        for (int i = 0; i < 4; i++) {
            client.data(1, false, "x".repeat(16_384));
        }
        assertThat(server.sent()).noneMatch(f -> f.startsWith("RST")).anyMatch(f -> f.startsWith("WINDOW 1"));
        client.data(1, true, "");
        ok(server.get(3), "next");
        assertThat(client.response(3).body()).isEqualTo("next");
    }

    @Test
    void resetsOnceTooMuchWasDiscarded() {
        Exchange exchange = server.greet().post(1);
        client.data(1, false, "x".repeat(16_384)); // not read, so it is discarded with the response
        ok(exchange, "no");
        for (int i = 0; i < 3; i++) {
            client.data(1, false, "x".repeat(16_384));
        }
        assertThat(server.sent()).noneMatch(f -> f.startsWith("RST"));

        client.data(1, false, "x");
        assertThat(server.sent()).contains("RST 1 NO_ERROR");
        client.data(1, false, "late").data(1, true, "frames");
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    /** A client that waits for 100 (Continue) may send the body or not. */
    @Test
    void resetsAClientThatWaitsToSend() {
        Exchange exchange = server.greet().post(1, "content-length", "5", "expect", "100-continue");
        ok(exchange, "no");

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 no END", "RST 1 NO_ERROR");
    }

    // ---- refusals

    @Test
    void refusesAndResetsAMalformedRequest() {
        server.greet();
        client.get(1, "/", "X-Upper", "a");
        Exchange exchange = server.exchange();
        assertThat(exchange.fault()).isEqualTo(Refusal.REQUEST_MALFORMED);
        assertThat(exchange.outcome().reason()).isEqualTo("character in a field");
        exchange.refuse(Refusal.REQUEST_MALFORMED);

        assertThat(client.outcome(1)).isEqualTo("400 RST PROTOCOL_ERROR");
        assertThat(client.soFar(1).body()).contains("request-malformed");
        assertThat(exchange.ended()).isTrue();
    }

    @Test
    void sendsWhatWasWrittenBeforeTheReset() {
        Exchange exchange = server.greet().post(1, "content-length", "2");
        exchange.response().head(head(200));
        exchange.response().data(data("early"));
        exchange.response().end();
        client.data(1, true, "abc");

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "DATA 1 early END", "RST 1 PROTOCOL_ERROR");
        assertThat(exchange.outcome().cut()).isFalse();
    }

    @Test
    void cutsAResponseThatHasBegunWhenTheContentIsMalformed() {
        Exchange exchange = server.greet().post(1, "content-length", "2");
        exchange.response().head(head(200));
        exchange.response().flush();
        client.data(1, true, "abc");

        assertThat(server.sent()).containsExactly("HEADERS 1 200", "RST 1 PROTOCOL_ERROR");
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void replacesNothing() {
        ResponseSink response = server.greet().get(1).response();
        response.head(head(200));
        assertThat(response.replace(Refusal.UPSTREAM_MALFORMED)).isFalse();
    }

    @Test
    void releasesDataOfAnEndedExchange() {
        Exchange exchange = server.greet().get(1);
        ok(exchange, "all");
        ByteBuf late = data("late");
        exchange.response().data(late);

        assertThat(late.refCnt()).isZero();
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
