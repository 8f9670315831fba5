package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.trailers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestResponse;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when the pieces of a body reach their reader, and when the client's window opens again. */
@ExtendWith(LeakExtension.class)
class Http2RequestBodyTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<String> calls = new ArrayList<>();
    private final BodyEvents reader = new BodyEvents();
    private boolean open = true;
    private Http2RequestBody body = body(RequestHead.CHUNKED);

    @AfterEach
    void release() {
        body.fail();
    }

    private Http2RequestBody body(long length) {
        return new Http2RequestBody(new Connection(), new RequestHead().bodyLength(length), ticker);
    }

    /** Receives a piece; returns the bytes that count no longer against the window, or -1 for a wrong length. */
    private int receive(String text, boolean last) {
        ByteBuf data = TestResponse.data(text);
        int taken = body.received(data, last);
        data.release();
        return taken;
    }

    // ---- reading

    @Test
    void passesOnWhatArrives() {
        body.read(reader);
        assertThat(calls).containsExactly("awaited");
        assertThat(receive("ab", false)).isEqualTo(2);
        assertThat(receive("c", false)).isEqualTo(1);
        assertThat(receive("", true)).isZero();
        assertThat(calls).as("once for each read").containsExactly("awaited", "passed on");
        body.readComplete();

        assertThat(reader.take()).containsExactly("ab", "c", "end", "read");
        assertThat(body.complete()).isTrue();
    }

    @Test
    void recordsEachReadAnew() {
        body.read(reader);
        receive("a", false);
        body.readComplete();
        receive("b", false);
        assertThat(calls).containsExactly("awaited", "passed on", "passed on");
    }

    @Test
    void holdsWhatArrivesBeforeItIsRead() {
        assertThat(receive("ab", false)).isZero();
        assertThat(receive("c", true)).isZero();
        body.readComplete();
        assertThat(body.untouched()).isTrue();
        body.read(reader);

        assertThat(calls).containsExactly("taken 3");
        assertThat(reader.take()).containsExactly("abc", "end", "read");
        assertThat(body.untouched()).isFalse();
    }

    @Test
    void holdsWhileItsReaderPauses() {
        body.read(reader);
        body.pause();
        assertThat(receive("ab", false)).isZero();
        assertThat(receive("c", true)).isZero();
        assertThat(reader.take()).isEmpty();
        body.resume();

        assertThat(reader.take()).containsExactly("abc", "end", "read");
        assertThat(calls).containsExactly("awaited", "taken 3");
        body.resume();
        assertThat(reader.take()).as("it was not paused").isEmpty();
    }

    /** The reader pauses with its first piece, while more is held. */
    @Test
    void keepsTheOrderBehindHeldPieces() {
        receive("x".repeat(16_384), false); // which is held as a piece of its own
        receive("second", false);
        body.read(new Pausing());
        assertThat(reader.take()).containsExactly("(16384)", "read");
        assertThat(receive("third", false)).isZero();
        body.resume();

        assertThat(reader.take()).containsExactly("secondthird", "read");
    }

    @Test
    void anEmptyBodyEndsAtOnce() {
        receive("", true);
        body.read(reader);
        assertThat(reader.take()).containsExactly("end");
        assertThat(calls).as("nothing is awaited").isEmpty();
        assertThat(body.untouched()).as("the end was passed on").isFalse();
    }

    @Test
    void passesTrailersBeforeTheEnd() {
        receive("ab", false);
        assertThat(body.ended(trailers("x-sum", "7"))).isTrue();
        body.read(reader);
        assertThat(reader.take()).containsExactly("ab", "x-sum: 7", "end", "read");
    }

    @Test
    void sendableAsLongAsTheConnectionHasAWindow() {
        assertThat(body.sendable()).isTrue();
        open = false;
        assertThat(body.sendable()).isFalse();
    }

    // ---- length

    @ParameterizedTest
    @CsvSource({
        "2, ab, true, 2",
        "2, a, false, 1",
        "2, a, true, -1",
        "2, abc, false, -1",
        "2, abc, true, -1",
        "-1, abc, true, 3",
    })
    void comparesTheLength(long announced, String text, boolean last, int taken) {
        body = body(announced);
        body.read(reader);
        assertThat(receive(text, last)).isEqualTo(taken);
    }

    @Test
    void trailersMustNotComeBeforeTheWholeBody() {
        body = body(3);
        receive("ab", false);
        assertThat(body.ended(trailers("x-sum", "7"))).isFalse();
        assertThat(body.complete()).isTrue();
    }

    @Test
    void aTunnelHasNoLength() {
        RequestHead connect = new RequestHead().method(Method.CONNECT);
        body = new Http2RequestBody(new Connection(), connect, ticker);
        body.read(reader);
        assertThat(receive("ab", false)).isEqualTo(2);
    }

    @Test
    void knowsWhatIsOutstanding() {
        assertThat(body.outstanding()).as("of a body of unknown length").isZero();
        body = body(3);
        assertThat(body.outstanding()).isEqualTo(3);
        receive("a", false);
        assertThat(body.outstanding()).isEqualTo(2);
        receive("bc", true);
        assertThat(body.outstanding()).isZero();
    }

    // ---- discarding and failing

    @Test
    void discardsWhatIsHeldAndWhatFollows() {
        receive("ab", false);
        body.discard();
        assertThat(calls).containsExactly("taken 2");
        assertThat(receive("cde", false)).isEqualTo(3);
        assertThat(body.discarded()).isEqualTo(5);
        assertThat(receive("", true)).isZero();
        body.readComplete();
        assertThat(reader.take()).isEmpty();
    }

    @Test
    void discardsFromAReader() {
        body.read(reader);
        body.discard();
        assertThat(receive("ab", true)).isEqualTo(2);
        body.readComplete();
        assertThat(reader.take()).isEmpty();
        assertThat(body.discarded()).isEqualTo(2);
    }

    @Test
    void failsOnce() {
        body.read(reader);
        body.pause();
        receive("held", false);
        body.fail();
        body.fail();
        assertThat(reader.take()).containsExactly("broken");
        assertThat(calls).as("a broken body opens no window").containsExactly("awaited");
        assertThat(receive("late", true)).isEqualTo(4);
        assertThat(reader.take()).isEmpty();
    }

    @Test
    void aLaterReaderHearsOfTheFailure() {
        body.fail();
        body.read(reader);
        assertThat(reader.take()).containsExactly("broken");
        assertThat(calls).isEmpty();
    }

    @Test
    void aCompleteBodyDoesNotFail() {
        body.read(reader);
        receive("ab", true);
        reader.take();
        body.fail();
        assertThat(reader.take()).isEmpty();
    }

    /** The end of the exchange would drop the bytes of a paused reader. */
    @Test
    void handsOverToAPausedReader() {
        body.read(new Pausing());
        receive("a", false);
        assertThat(receive("b", true)).isZero();
        body.handOver();
        assertThat(reader.take()).containsExactly("a", "b", "end", "read");
        body.pause();
        assertThat(body.waits()).as("it is complete").isFalse();
    }

    // ---- waiting

    @Test
    void waitsForTheNextPieceFromTheLastOne() {
        assertThat(body.waits()).as("without a reader").isFalse();
        pass(1);
        body.read(reader);
        assertThat(body.waits()).isTrue();
        assertThat(seconds()).isEqualTo(1);
        pass(1);
        receive("a", false);
        assertThat(seconds()).isEqualTo(2);
        body.readComplete();
        body.pause();
        assertThat(body.waits()).as("the reader is the one that waits").isFalse();
        pass(1);
        body.resume();
        assertThat(body.waits()).isTrue();
        assertThat(seconds()).isEqualTo(3);
        receive("b", true);
        assertThat(body.waits()).isFalse();
    }

    @Test
    void waitsWhileItDiscards() {
        body.read(reader);
        pass(1);
        body.discard();
        assertThat(body.waits()).isTrue();
        assertThat(seconds()).isEqualTo(1);
        body.fail();
        assertThat(body.waits()).isFalse();
    }

    private void pass(int seconds) {
        ticker.advance(seconds, TimeUnit.SECONDS);
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(body.waitingSince());
    }

    /** Reader that pauses after each piece. */
    private final class Pausing implements RequestBody.Reader {

        @Override
        public void data(ByteBuf data) {
            reader.data(data);
            body.pause();
        }

        @Override
        public void bodyReadComplete() {
            reader.bodyReadComplete();
        }

        @Override
        public void end() {
            reader.end();
        }

        @Override
        public void broken() {
            reader.broken();
        }
    }

    private final class Connection implements Http2RequestBody.Source {

        @Override
        public void taken(int bytes) {
            calls.add("taken " + bytes);
        }

        @Override
        public void awaited() {
            calls.add("awaited");
        }

        @Override
        public void passedOn(Http2RequestBody which) {
            calls.add("passed on");
        }

        @Override
        public boolean open() {
            return open;
        }
    }
}
