package dev.postern.core.proxy;

import static dev.postern.core.proxy.AttemptFixture.FIRST_BYTE;
import static dev.postern.core.proxy.AttemptFixture.IDLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Outcome.UpstreamUse;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how an attempt sends the request: its timeouts, its backpressure, its limits, and who answers an expectation. */
@ExtendWith(LeakExtension.class)
class UpstreamAttemptRequestTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AttemptFixture attempt = new AttemptFixture();

    // ---- without a body

    @Test
    void awaitsTheResponseFromTheEndOfTheRequestOn() {
        attempt.start();
        assertThat(attempt.stream().request()).isSameAs(attempt.client().request());
        assertThat(attempt.timeout()).isEqualTo(FIRST_BYTE);
        assertThat(attempt.exchange().outcome().tries()).isEqualTo(1);
        assertThat(attempt.exchange().outcome().forwarded()).isTrue();
        assertThat(attempt.exchange().outcome().upstreamUse()).isEqualTo(UpstreamUse.CONNECTION);
    }

    @Test
    void notesThatOthersShareTheConnection() {
        attempt.overStreams().start();
        assertThat(attempt.exchange().outcome().upstreamUse()).isEqualTo(UpstreamUse.STREAM);
    }

    // ---- the body

    @Test
    void aClientThatSendsSlowlyIsNotTheFaultOfTheUpstream() {
        attempt.client().post();
        attempt.start();
        attempt.client().body().send("slow");
        assertThat(attempt.timeout()).isNull();
        attempt.client().pass(SECOND);

        attempt.client().body().end();
        assertThat(attempt.stream().endSent()).isTrue();
        assertThat(attempt.timeout()).isEqualTo(FIRST_BYTE);
    }

    @Test
    void joinsThePiecesOfOneReadAndSendsThemAtItsEnd() {
        attempt.client().post();
        attempt.start();
        attempt.client().body().client().data(AttemptFixture.text("a"));
        attempt.client().body().client().data(AttemptFixture.text("b"));
        assertThat(attempt.stream().body()).isEmpty();
        attempt.client().body().client().bodyReadComplete();
        assertThat(attempt.stream().flushed()).isEqualTo("ab");
        assertThat(attempt.exchange().outcome().bytesIn()).isEqualTo(2);
    }

    @Test
    void sendsTheLastPiecesBeforeTheEnd() {
        attempt.client().post();
        attempt.start();
        attempt.client().body().client().data(AttemptFixture.text("last"));
        attempt.client().body().end();
        assertThat(attempt.stream().flushed()).isEqualTo("last");
    }

    @Test
    void takesABodyOfTheMaximumAndNoByteMore() {
        attempt.client().post().maxBody(4);
        attempt.start();
        attempt.client().body().send("1234");
        assertThat(attempt.response().status()).isZero();

        attempt.client().body().send("5");
        assertThat(attempt.response().status()).isEqualTo(413);
        assertThat(attempt.stream().body()).isEqualTo("1234");
        assertThat(attempt.stream().aborted()).isTrue();
    }

    @Test
    void aBodyWithoutAMaximumHasNone() {
        attempt.client().post();
        attempt.start();
        attempt.client().body().send("x".repeat(100_000));
        assertThat(attempt.stream().body()).hasSize(100_000);
    }

    @Test
    void pausesTheClientWhileTheUpstreamTakesNothing() {
        attempt.client().post();
        attempt.start();
        attempt.stream().fill();
        attempt.client().body().send("ab");
        assertThat(attempt.client().body().read()).isFalse();
        assertThat(attempt.timeout()).as("for the upstream to take bytes").isEqualTo(IDLE);

        attempt.stream().drain();
        assertThat(attempt.client().body().read()).isTrue();
        assertThat(attempt.timeout()).as("now the client is awaited").isNull();
    }

    /** The last bytes may wait for an upstream that takes nothing when the client has sent all. */
    @Test
    void theResponseIsDueAlsoWhenTheUpstreamTakesTheEndLate() {
        attempt.client().post();
        attempt.start();
        attempt.stream().fill();
        attempt.client().body().send("all");
        attempt.client().body().end();
        assertThat(attempt.timeout()).isEqualTo(FIRST_BYTE);

        attempt.client().pass(SECOND);
        attempt.stream().drain();
        assertThat(attempt.timeout()).isEqualTo(FIRST_BYTE.minus(SECOND));
    }

    /** Beside a response, bytes of both directions count for one idle time. */
    @Test
    void theBodyBesideAResponseKeepsItAlive() {
        attempt.client().post();
        attempt.start();
        attempt.head(200);
        attempt.client().pass(SECOND);
        assertThat(attempt.timeout()).isEqualTo(IDLE.minus(SECOND));

        attempt.client().body().send("more");
        assertThat(attempt.timeout()).isEqualTo(IDLE);

        attempt.client().pass(SECOND);
        attempt.stream().fill();
        attempt.stream().drain();
        assertThat(attempt.timeout()).as("room for bytes is no byte").isEqualTo(IDLE.minus(SECOND));
        attempt.client().body().end();
        assertThat(attempt.timeout()).as("nor is the end").isEqualTo(IDLE.minus(SECOND));
    }

    @Test
    void theBodyDoesNotHastenAClientThatReadsNoResponse() {
        attempt.client().post();
        attempt.start();
        attempt.head(200);
        attempt.response().fill(4);
        attempt.content("data");
        attempt.client().body().send("more");
        assertThat(attempt.timeout()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"x-forwarded-for, 0", "content-length, 0", "x-request-id, 0", "x_request_id, 0", "x-checksum, 1"})
    void forwardsTrailersThatAreNoClaims(String name, int forwarded) {
        attempt.client().post();
        attempt.start();
        Trailers trailers = new Trailers();
        trailers.add(FieldName.of(name), "1");
        attempt.client().body().client().behind(trailers);
        assertThat(attempt.stream().trailers()).hasSize(forwarded);
    }

    @Test
    void refusesABrokenBody() {
        attempt.client().post();
        attempt.start();
        attempt.client().body().client().broken();
        assertThat(attempt.response().status()).isEqualTo(400);
        assertThat(attempt.exchange().outcome().refusal()).isEqualTo(Refusal.REQUEST_MALFORMED);
        assertThat(attempt.stream().aborted()).isTrue();
    }

    @Test
    void cutsTheResponseBesideABrokenBody() {
        attempt.client().post();
        attempt.start();
        attempt.head(200);
        attempt.client().body().client().broken();
        assertThat(attempt.response().isCut()).isTrue();
        assertThat(attempt.response().status()).isEqualTo(200);
        assertThat(attempt.stream().aborted()).isTrue();
    }

    @Test
    void dropsWhatTheClientSendsAfterTheEnd() {
        attempt.client().post();
        attempt.start().drop();
        ByteBuf late = AttemptFixture.text("late");
        attempt.client().body().client().data(late);
        Trailers trailers = new Trailers();
        trailers.add(FieldName.of("x-checksum"), "1");
        attempt.client().body().client().behind(trailers);
        attempt.client().body().client().bodyReadComplete();
        attempt.client().body().client().end();

        assertThat(late.refCnt()).isZero();
        assertThat(attempt.stream().body()).isEmpty();
        assertThat(attempt.stream().trailers()).isEmpty();
        assertThat(attempt.stream().endSent()).isFalse();
        assertThat(attempt.stream().aborted()).isTrue();
        assertThat(attempt.exchange().outcome().upstreamUse()).isEqualTo(UpstreamUse.NONE);
    }

    @Test
    void dropsThePiecesThatItHeld() {
        attempt.client().post();
        ByteBuf held = AttemptFixture.text("held");
        attempt.start();
        attempt.client().body().client().data(held);
        attempt.start().drop();
        assertThat(held.refCnt()).isZero();
    }

    /** A large piece passes those that are held before it: the first may end the attempt. */
    @Test
    void dropsThePiecesBehindTheOneThatWasTooMuch() {
        attempt.client().post().maxBody(1);
        attempt.start();
        attempt.client().body().send("two", "x".repeat(10_000));
        assertThat(attempt.response().status()).isEqualTo(413);
        assertThat(attempt.stream().body()).isEmpty();
    }

    // ---- the rate of the body

    @Test
    void refusesABodyThatIsTooSlow() {
        attempt.client().post().minBodyRate(240);
        attempt.start();
        attempt.client().body().send("few");
        attempt.client().pass(Duration.ofSeconds(60));
        assertThat(attempt.response().status()).isEqualTo(408);
        assertThat(attempt.exchange().outcome().reason()).isEqualTo("body-rate");
        assertThat(attempt.stream().aborted()).isTrue();
    }

    @Test
    void aBodyOfTheRateGoesOn() {
        attempt.client().post().minBodyRate(240);
        attempt.start();
        attempt.client().body().send("x".repeat(240 * 60));
        attempt.client().pass(Duration.ofMinutes(1));
        assertThat(attempt.response().status()).isZero();
    }

    @Test
    void doesNotCountTheTimeInWhichTheUpstreamTakesNothing() {
        attempt.client().post().minBodyRate(240);
        attempt.start();
        attempt.stream().fill();
        attempt.client().body().send("few");
        attempt.client().pass(Duration.ofMinutes(10));
        assertThat(attempt.response().status()).isZero();

        attempt.stream().drain();
        attempt.client().pass(Duration.ofSeconds(59));
        assertThat(attempt.response().status()).isZero();
        attempt.client().pass(Duration.ofSeconds(60));
        assertThat(attempt.response().status()).isEqualTo(408);
    }

    /** Bytes that arrived before the gateway reads may fill the upstream at once. */
    @Test
    void doesNotCountTheTimeInWhichTheUpstreamTakesNoHeldBytes() {
        attempt.client().post().minBodyRate(240);
        attempt.client().body().hold("held");
        attempt.stream().fill();
        attempt.start();
        assertThat(attempt.client().body().read()).isFalse();
        attempt.client().pass(Duration.ofMinutes(10));
        assertThat(attempt.response().status()).isZero();
    }

    @Test
    void anAttemptThatAnotherReplacedSaysNothingOfTheRate() {
        attempt.client().post().minBodyRate(240);
        attempt.repeats().start();
        attempt.stream().upstream().unprocessed(false);
        attempt.client().pass(Duration.ofMinutes(10));
        assertThat(attempt.exchange().outcome().reason()).isEmpty();
    }

    @Test
    void theRateEndsWithTheBodyOrTheResponse() {
        attempt.client().post().minBodyRate(240);
        attempt.start();
        attempt.head(200);
        attempt.client().pass(Duration.ofMinutes(10));
        assertThat(attempt.response().isCut()).isFalse();

        AttemptFixture other = new AttemptFixture();
        other.client().post().minBodyRate(240);
        other.start();
        other.client().body().end();
        other.client().pass(Duration.ofMinutes(10));
        assertThat(other.response().status()).isZero();
    }

    // ---- Expect

    @Test
    void theBodyWaitsForTheUpstreamThatDecides() {
        attempt.client().post().request().expectsContinue(true);
        attempt.expects().start();
        assertThat(attempt.client().request().value(FieldName.EXPECT)).isEqualTo("100-continue");
        assertThat(attempt.client().body().read()).isFalse();
        assertThat(attempt.timeout()).isEqualTo(SECOND);

        attempt.stream().upstream().writable();
        assertThat(attempt.client().body().read()).as("room is no consent").isFalse();

        attempt.stream().upstream().interim(new ResponseHead().status(100));
        assertThat(attempt.client().body().read()).isTrue();
        assertThat(attempt.timeout()).isNull();
        assertThat(attempt.response().interims()).as("the codec sends its own").isEmpty();
    }

    @Test
    void anUpstreamThatIgnoresTheExpectationGetsTheBody() {
        attempt.client().post().request().expectsContinue(true);
        attempt.expects().start();
        attempt.stream().upstream().late();
        assertThat(attempt.client().body().read()).isTrue();
        assertThat(attempt.asked()).isEmpty();
    }

    @Test
    void anUpstreamThatRefusesTheExpectationGetsNoBody() {
        attempt.client().post().request().expectsContinue(true);
        attempt.expects().start();
        attempt.head(413);
        attempt.stream().upstream().complete();
        assertThat(attempt.response().status()).isEqualTo(413);
        assertThat(attempt.client().body().read()).isFalse();
    }

    @Test
    void theGatewayAnswersWhereTheUpstreamDoesNotDecide() {
        attempt.client().post().request().expectsContinue(true);
        attempt.start();
        assertThat(attempt.client().request().has(FieldName.EXPECT)).isFalse();
        assertThat(attempt.client().body().read()).isTrue();
    }

    @Test
    void anUnaskedContinueChangesNothing() {
        attempt.client().request().method(Method.GET);
        attempt.start();
        attempt.stream().upstream().interim(new ResponseHead().status(100));
        assertThat(attempt.response().interims()).isEmpty();
        assertThat(attempt.timeout()).isEqualTo(FIRST_BYTE);
    }
}
