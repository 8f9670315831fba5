package dev.postern.core.http2.client;

import static dev.postern.core.testing.UpstreamChannel.head;
import static dev.postern.core.testing.UpstreamChannel.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UpstreamChannel;
import dev.postern.core.testing.UpstreamEvents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests streams to a server that end early: resets, malformed responses, GOAWAY. */
@ExtendWith(LeakExtension.class)
class Http2UpstreamResetTest {

    private static final String[] OK = {":status", "200"};
    private static final int NO_ERROR = 0;
    private static final int REFUSED_STREAM = 7;

    private final UpstreamChannel upstream = new UpstreamChannel();
    private final FrameClient server = upstream.server();

    @AfterEach
    void close() {
        upstream.close();
    }

    private void reset(int stream, int error) {
        server.frame(FrameClient.RST_STREAM, 0, stream, FrameClient.numbers(error));
    }

    /** RFC 9113 section 8.1: the rest of the request is not needed. */
    @Test
    void resetsTheRestOfARequestWhoseResponseIsComplete() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.body("some");
        upstream.sent();
        server.headers(1, false, ":status", "413").data(1, true, "enough");
        exchange.body("more");

        assertThat(upstream.sent()).containsExactly("RST 1 CANCEL");
        assertThat(upstream.events()).contains("head 413", "enough", "complete");
    }

    // ---- resets of the server

    @ParameterizedTest
    @CsvSource({
        "7, unprocessed",
        "2, failed upstream-closed",
        "0, failed upstream-closed",
        "8, failed upstream-closed",
    })
    void aResetBeforeTheResponse(int error, String event) {
        upstream.accept().get();
        reset(1, error);
        assertThat(upstream.events()).containsExactly(event, "free");
        assertThat(upstream.connection().streams()).isPositive();
    }

    /** REFUSED_STREAM behind a head is a lie: the server has processed the request. */
    @Test
    void aRefusalBehindAHeadIsAFailure() {
        upstream.accept().get();
        server.headers(1, false, OK);
        upstream.events();
        reset(1, REFUSED_STREAM);
        assertThat(upstream.events()).containsExactly("failed upstream-closed", "free");
    }

    @Test
    void aRefusalBehindAnInterimHeadIsAFailure() {
        upstream.accept().get();
        server.headers(1, false, ":status", "103");
        upstream.events();
        reset(1, REFUSED_STREAM);
        assertThat(upstream.events()).containsExactly("failed upstream-closed", "free");
    }

    @Test
    void aResetWithoutErrorBehindAWholeBodyCompletesTheResponse() {
        upstream.accept().get();
        server.headers(1, false, ":status", "200", "content-length", "2").data(1, false, "ab");
        upstream.events();
        reset(1, NO_ERROR);
        assertThat(upstream.events()).contains("complete").doesNotContain("failed upstream-closed");
    }

    // ---- malformed responses

    @Test
    void failsAMalformedResponseAndResetsItsStream() {
        upstream.accept().get();
        server.headers(1, false, ":status", "20");
        assertThat(upstream.events()).containsExactly("failed upstream-malformed", "free");
        assertThat(upstream.sent()).containsExactly("RST 1 PROTOCOL_ERROR");
        server.data(1, true, "under way").frame(FrameClient.PING, 0, 0, new byte[8]);
        assertThat(upstream.sent()).containsExactly("PING ACK");
        assertThat(upstream.events()).isEmpty();
    }

    @Test
    void failsTrailersBeforeTheWholeBody() {
        upstream.accept().get();
        server.headers(1, false, ":status", "200", "content-length", "3").data(1, false, "ab");
        upstream.events();
        server.headers(1, true, "x-sum", "7");
        assertThat(upstream.events()).contains("failed upstream-malformed");
    }

    // ---- ends by the gateway

    @Test
    void anAbortedExchangeResetsItsStreamAndHearsNoMore() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        upstream.events();
        exchange.stream().abort();
        exchange.stream().abort();
        assertThat(upstream.sent()).containsExactly("RST 1 CANCEL");
        assertThat(upstream.events()).containsExactly("free");
        server.data(1, true, "under way");
        assertThat(upstream.events()).isEmpty();
    }

    /** RFC 9113 section 5.1: no frame follows a reset. */
    @Test
    void aResetComesBehindTheBodyThatWasSentBefore() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.body("some").stream().abort();
        assertThat(upstream.sent()).containsExactly("HEADERS 1 POST /", "DATA 1 some", "RST 1 CANCEL");
    }

    @Test
    void abortsWhatIsHeldOfAClosedStream() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        server.data(1, true, "held");
        upstream.events();
        exchange.stream().abort();
        assertThat(upstream.events()).containsExactly("free");
        assertThat(upstream.sent()).isEmpty();
    }

    @Test
    void closesItsConnection() {
        UpstreamEvents exchange = upstream.accept().get();
        assertThat(exchange.stream().shared()).isTrue();
        exchange.stream().close();
        assertThat(upstream.sent()).containsExactly("GOAWAY 0 NO_ERROR");
        assertThat(upstream.channel().isOpen()).isFalse();
        assertThat(upstream.events()).containsExactly("free", "failed upstream-closed silent", "gone upstream-closed");
    }

    // ---- GOAWAY

    @Test
    void requestsAboveTheLastStreamWereNotProcessed() {
        upstream.accept();
        upstream.send("one", head("GET", "/"));
        upstream.send("two", post());
        upstream.sent();
        server.frame(FrameClient.GOAWAY, 0, 0, FrameClient.numbers(1, NO_ERROR));

        assertThat(upstream.events()).containsExactly("leaving", "two free", "two unprocessed, leaving");
        assertThat(upstream.connection().streams()).isZero();
        server.headers(1, true, OK);
        assertThat(upstream.events()).contains("one head 200", "one complete");
    }

    @Test
    void aResponseThatHasBegunWasProcessedWhateverGoawaySays() {
        upstream.accept();
        upstream.send("one", head("GET", "/"));
        upstream.send("two", head("GET", "/"));
        server.headers(3, false, OK);
        upstream.events();
        server.frame(FrameClient.GOAWAY, 0, 0, FrameClient.numbers(1, NO_ERROR));
        assertThat(upstream.events()).containsExactly("leaving", "two free", "two failed upstream-closed");
    }

    @Test
    void opensNoStreamAfterGoaway() {
        upstream.accept();
        server.frame(FrameClient.GOAWAY, 0, 0, FrameClient.numbers(0, NO_ERROR));
        upstream.events();
        upstream.send(head("GET", "/"));
        assertThat(upstream.sent()).isEmpty();
        assertThat(upstream.events()).containsExactly("free", "unprocessed, leaving");
    }
}
