package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.data;
import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests responses whose stream is reset, by the client or by the gateway. */
@ExtendWith(LeakExtension.class)
class Http2ResponseResetTest {

    private static final int INITIAL_WINDOW = 4;

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();

    @AfterEach
    void close() {
        server.close();
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
    void releasesDataOfAnEndedExchange() {
        Exchange exchange = server.greet().get(1);
        ok(exchange, "all");
        ByteBuf late = data("late");
        exchange.response().data(late);

        assertThat(late.refCnt()).isZero();
    }
}
