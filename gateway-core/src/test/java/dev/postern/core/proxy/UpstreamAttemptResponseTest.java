package dev.postern.core.proxy;

import static dev.postern.core.proxy.AttemptFixture.IDLE;
import static dev.postern.core.proxy.AttemptFixture.text;
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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how an attempt relays the response, with backpressure, and what follows when it fails. */
@ExtendWith(LeakExtension.class)
class UpstreamAttemptResponseTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AttemptFixture attempt = new AttemptFixture();

    private static Trailers trailers(String name) {
        Trailers trailers = new Trailers();
        trailers.add(FieldName.of(name), "1");
        return trailers;
    }

    // ---- relay

    @Test
    void relaysAResponse() {
        attempt.start();
        attempt.head(203);
        attempt.client().pass(SECOND);
        attempt.content("to", "gether");
        assertThat(attempt.response().body()).isEqualTo("together");
        assertThat(attempt.response().flushes()).isEqualTo(1);
        assertThat(attempt.timeout()).isEqualTo(IDLE);

        attempt.stream().upstream().complete();
        assertThat(attempt.response().status()).isEqualTo(203);
        assertThat(attempt.exchange().outcome().status()).isEqualTo(203);
        assertThat(attempt.exchange().outcome().upstreamUse()).isEqualTo(UpstreamUse.COMPLETED);
        assertThat(attempt.exchange().ended()).isTrue();
        assertThat(attempt.asked()).containsExactly("responded 203");
    }

    @Test
    void passesTheLastPiecesBeforeTheEnd() {
        attempt.start();
        attempt.head(200);
        attempt.stream().upstream().content(text("last"));
        attempt.stream().upstream().complete();
        assertThat(attempt.response().body()).isEqualTo("last");
    }

    @Test
    void awaitsTheNextBytesFromTheHeadOn() {
        attempt.start();
        attempt.client().pass(SECOND);
        attempt.head(200);
        assertThat(attempt.timeout()).isEqualTo(IDLE);
    }

    @Test
    void anInterimResponseLeavesTheTimeoutForTheFinalOne() {
        attempt.start();
        attempt.client().pass(SECOND);
        attempt.stream().upstream().interim(new ResponseHead().status(103));
        attempt.stream().upstream().readComplete();
        assertThat(attempt.response().interims()).containsExactly(103);
        assertThat(attempt.response().flushes()).isEqualTo(1);
        assertThat(attempt.timeout()).isEqualTo(AttemptFixture.FIRST_BYTE.minus(SECOND));
    }

    @Test
    void removesTheFieldsOfTheUpstreamsConnection() {
        attempt.start();
        ResponseHead head = new ResponseHead().status(407).bodyLength(0);
        head.add(FieldName.CONNECTION, "x-hop");
        head.add(FieldName.of("x-hop"), "1");
        head.add(FieldName.PROXY_AUTHENTICATE, "Basic");
        head.add(FieldName.of("x-kept"), "1");
        attempt.stream().upstream().head(head);
        for (String removed : List.of("connection", "x-hop", "proxy-authenticate")) {
            assertThat(attempt.response().values(FieldName.of(removed))).isEmpty();
        }
        assertThat(attempt.response().value(FieldName.of("x-kept"))).isEqualTo("1");
    }

    @Test
    void pausesTheUpstreamWhileTheClientTakesNothing() {
        attempt.start();
        attempt.head(200);
        attempt.response().fill(100);
        attempt.content("data");
        assertThat(attempt.stream().paused()).isTrue();
        assertThat(attempt.timeout()).as("the client is awaited").isNull();

        attempt.client().pass(SECOND);
        attempt.response().drain();
        assertThat(attempt.stream().paused()).isFalse();
        assertThat(attempt.timeout()).isEqualTo(IDLE);

        attempt.client().pass(SECOND);
        attempt.response().drain();
        assertThat(attempt.timeout()).as("nothing was paused").isEqualTo(IDLE.minus(SECOND));
    }

    @Test
    void doesNotPauseAConnectionThatServesAnotherAlready() {
        attempt.start();
        attempt.head(200);
        attempt.stream().upstream().content(text("last"));
        attempt.response().fill(4);
        attempt.stream().upstream().complete();
        assertThat(attempt.stream().paused()).isFalse();

        attempt.response().drain();
        attempt.stream().upstream().readComplete();
        assertThat(attempt.response().flushes()).isZero();
    }

    @Test
    void theClientsRoomDoesNotResumeAnUpstreamThatIsOver() {
        attempt.start();
        attempt.head(200);
        attempt.response().fill(100);
        attempt.content("data");
        attempt.start().drop();
        attempt.response().drain();
        assertThat(attempt.stream().paused()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true, x-checksum, 1", "true, content-length, 0", "false, x-checksum, 0"})
    void passesTrailersToClientsThatTakeThem(boolean takes, String name, int passed) {
        attempt.client().request().takesTrailers(takes);
        attempt.start();
        attempt.head(200);
        attempt.stream().upstream().trailers(trailers(name));
        assertThat(attempt.response().trailers()).hasSize(passed);
    }

    @Test
    void releasesContentThatComesTooLate() {
        attempt.start();
        attempt.head(200);
        ByteBuf held = text("held");
        attempt.stream().upstream().content(held);
        attempt.start().drop();
        ByteBuf late = text("late");
        attempt.stream().upstream().content(late);
        assertThat(held.refCnt()).isZero();
        assertThat(late.refCnt()).isZero();
        assertThat(attempt.response().body()).isEmpty();
    }

    // ---- extended CONNECT

    @ParameterizedTest
    @CsvSource({
        "2, websocket, 200, 501",
        "2, websocket, 299, 501",
        "2, websocket, 300, 300",
        "2, '', 200, 200",
        "1, websocket, 200, 200"
    })
    void aStreamIsNoTunnelThatTheUpstreamDidNotAccept(int version, String upgrade, int status, int got) {
        attempt.client().request().majorVersion(version).upgrade(upgrade);
        attempt.start();
        attempt.head(status);
        assertThat(attempt.response().status()).isEqualTo(got);
        assertThat(attempt.stream().aborted()).isEqualTo(got == 501);
    }

    // ---- failures

    @ParameterizedTest
    @CsvSource({
        "UPSTREAM_CLOSED, true, retry upstream-closed silent, 502",
        "UPSTREAM_MALFORMED, false, retry upstream-malformed, 502"
    })
    void asksWhetherToRepeatAnAttemptWithoutAResponse(Refusal refusal, boolean silent, String question, int status) {
        attempt.start();
        attempt.stream().upstream().failed(refusal, silent);
        assertThat(attempt.asked()).containsExactly(question);
        assertThat(attempt.response().status()).isEqualTo(status);
        assertThat(attempt.exchange().outcome().refusal()).isEqualTo(refusal);

        AttemptFixture other = new AttemptFixture().repeats();
        other.start();
        other.stream().upstream().failed(refusal, silent);
        other.start().late();
        other.start().drop();
        assertThat(other.response().status()).as("another attempt responds").isZero();
        assertThat(other.asked()).containsExactly(question);
        assertThat(other.stream().aborted()).isFalse();
    }

    @Test
    void cutsAResponseThatFailsInItsMiddle() {
        attempt.start();
        attempt.head(200);
        attempt.stream().upstream().content(text("half"));
        attempt.stream().upstream().failed(Refusal.UPSTREAM_CLOSED, false);
        assertThat(attempt.response().body()).isEqualTo("half");
        assertThat(attempt.response().isCut()).isTrue();
        assertThat(attempt.asked()).containsExactly("responded 200");
    }

    @Test
    void replacesAResponseOfWhichNothingWasSent() {
        attempt.start();
        attempt.response().hold();
        attempt.head(200);
        ByteBuf piece = text("half");
        attempt.stream().upstream().content(piece);
        attempt.stream().upstream().failed(Refusal.UPSTREAM_CLOSED, false);
        assertThat(attempt.response().status()).isEqualTo(502);
        assertThat(attempt.response().body()).contains("upstream-closed").doesNotContain("half");
        assertThat(attempt.response().isCut()).isFalse();
        assertThat(piece.refCnt()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, leaving", "false, unprocessed"})
    void repeatsWhatTheEndpointDidNotProcess(boolean leaving, String question) {
        attempt.repeats().start();
        attempt.stream().upstream().unprocessed(leaving);
        assertThat(attempt.asked()).containsExactly(question);
        assertThat(attempt.response().status()).isZero();
    }

    @Test
    void doesNotRepeatARequestWhoseBodyIsGone() {
        attempt.client().post();
        attempt.repeats().start();
        attempt.client().body().send("gone");
        attempt.stream().upstream().unprocessed(true);
        assertThat(attempt.asked()).containsExactly("retry upstream-closed");
    }

    @Test
    void refusesWhatTheOwnerDoesNotRepeat() {
        attempt.start();
        attempt.stream().upstream().unprocessed(false);
        assertThat(attempt.asked()).containsExactly("unprocessed", "retry upstream-closed");
        assertThat(attempt.response().status()).isEqualTo(502);
    }

    @Test
    void refusesWhatTheConnectionCannotCarry() {
        attempt.start();
        attempt.stream().upstream().unsupported();
        attempt.start().drop();
        assertThat(attempt.response().status()).isEqualTo(501);
        assertThat(attempt.stream().aborted()).as("it was returned already").isFalse();
    }

    @Test
    void refusesAHeadWithTwoReadings() {
        attempt.start();
        attempt.stream().upstream().unsendable();
        attempt.start().drop();
        assertThat(attempt.stream().aborted()).as("it was returned already").isFalse();
        assertThat(attempt.response().status()).isEqualTo(500);
        assertThat(attempt.exchange().outcome().ambiguous()).isTrue();
        assertThat(attempt.exchange().outcome().reason()).isEqualTo("ambiguous");
    }

    @Test
    void asksWhetherToRepeatASilentAttempt() {
        attempt.start();
        attempt.stream().upstream().late();
        assertThat(attempt.asked()).containsExactly("retry upstream-stalled silent");
        assertThat(attempt.response().status()).isEqualTo(504);
        assertThat(attempt.stream().aborted()).isTrue();

        AttemptFixture other = new AttemptFixture().repeats();
        other.start();
        other.stream().upstream().late();
        assertThat(other.response().status()).isZero();
        assertThat(other.stream().aborted()).isTrue();
    }

    @Test
    void cutsAResponseThatStalls() {
        attempt.repeats().start();
        attempt.head(200);
        attempt.stream().upstream().late();
        assertThat(attempt.response().isCut()).isTrue();
        assertThat(attempt.stream().aborted()).isTrue();
        assertThat(attempt.asked()).containsExactly("responded 200");
    }

    @Test
    void aSilentAttemptOfAnEndedExchangeIsNotRepeated() {
        attempt.repeats().start();
        attempt.exchange().end();
        attempt.stream().upstream().late();
        assertThat(attempt.asked()).isEmpty();
        assertThat(attempt.stream().aborted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "unprocessed", "late", "tooLong"})
    void whatFollowsTheEndChangesNothing(String event) {
        UpstreamAttempt over = attempt.start();
        over.drop();
        switch (event) {
            case "failed" -> over.failed(Refusal.UPSTREAM_CLOSED, true);
            case "unprocessed" -> over.unprocessed(true);
            case "late" -> over.late();
            default -> over.tooLong();
        }
        over.drop();
        assertThat(attempt.asked()).isEmpty();
        assertThat(attempt.response().status()).isZero();
    }

    // ---- the route's timeout

    @Test
    void namesTheSideThatTheExchangeWaitedFor() {
        attempt.client().post();
        attempt.start().tooLong();
        assertThat(attempt.response().status()).as("the client sends").isEqualTo(408);

        AttemptFixture full = new AttemptFixture();
        full.client().post();
        full.start();
        full.stream().fill();
        full.start().tooLong();
        assertThat(full.response().status()).as("the upstream takes nothing").isEqualTo(504);

        AttemptFixture sent = new AttemptFixture();
        sent.client().request().method(Method.GET);
        sent.start().tooLong();
        assertThat(sent.response().status()).isEqualTo(504);

        AttemptFixture responding = new AttemptFixture();
        responding.start();
        responding.head(200);
        responding.start().tooLong();
        assertThat(responding.response().isCut()).isTrue();
    }
}
