package dev.postern.core.http2.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http2.codec.ConnectionPreface;
import dev.postern.core.rate.Gcra;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link AbuseLimits} over time, {@link FrameFloodGuard} over split bytes, and {@link ConnectionPreface}. */
class AbuseLimitsTest {

    private static final Gcra TWO_A_MINUTE = Gcra.of(2, 60_000_000, 1);
    private static final AbuseLimits.Rates RATES = new AbuseLimits.Rates(TWO_A_MINUTE, TWO_A_MINUTE, TWO_A_MINUTE);
    private static final Cancellation AT_ONCE = new Cancellation(0, false, false);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final AbuseLimits limits = new AbuseLimits(RATES, 2, 16_384, 65_535, ticker);

    @ParameterizedTest
    @CsvSource({"4, SETTINGS", "5, PUSHES", "6, PINGS", "7, GOAWAYS"})
    void countsFramesPerTime(int type, AbuseLimit limit) {
        assertThat(limits.frame(type, 0, 8)).isNull();
        assertThat(limits.frame(type, 0, 8)).isNull();
        assertThat(limits.frame(type, 0, 8)).isEqualTo(limit);

        ticker.advance(30, TimeUnit.SECONDS);

        assertThat(limits.frame(type, 0, 8)).isNull();
        assertThat(limits.frame(type, 0, 8)).isEqualTo(limit);
    }

    /** Sends each kind of frame without end: with one request at the start none may stay free. */
    @ParameterizedTest
    @MethodSource("useless")
    void limitsEveryKindOfUselessFrame(int type, int flags, int length) {
        limits.frame(AbuseLimits.HEADERS, AbuseLimits.END_HEADERS, 9);
        AbuseLimit exceeded = null;
        for (int i = 0; i < 2_000 && exceeded == null; i++) {
            exceeded = limits.frame(type, flags, length);
        }
        assertThat(exceeded).isNotNull();
    }

    static Stream<Arguments> useless() {
        Stream<Arguments> empty = Stream.of(
                Arguments.of(AbuseLimits.DATA, 0, 0),
                Arguments.of(AbuseLimits.HEADERS, 0, 0),
                Arguments.of(AbuseLimits.CONTINUATION, 0, 1));
        Stream<Arguments> others = IntStream.range(AbuseLimits.PRIORITY, 256)
                .filter(type -> type != AbuseLimits.CONTINUATION && type != AbuseLimits.RST_STREAM)
                .boxed()
                .flatMap(type -> Stream.of(0, 1).map(flags -> Arguments.of(type, flags, 8)));
        return Stream.concat(empty, others);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, true, false, false",
        "999, true, false, true",
        "1000, false, false, true",
        "1000, true, true, true",
        "0, false, false, true",
    })
    void countsCancellations(long livedMillis, boolean responding, boolean closesUpstream, boolean counts) {
        AbuseLimit exceeded = null;
        for (int i = 0; i < 3; i++) {
            exceeded = limits.cancelled(new Cancellation(livedMillis * 1_000_000, responding, closesUpstream));
        }
        assertThat(exceeded).isEqualTo(counts ? AbuseLimit.RESETS : null);
    }

    @Test
    void countsResetsOfStreamsThatHaveEnded() {
        assertThat(limits.resetByPeer()).isNull();
        assertThat(limits.cancelled(AT_ONCE)).isNull();
        assertThat(limits.resetByPeer()).isEqualTo(AbuseLimit.RESETS);
        limits.requested();
        assertThat(limits.resetByPeer()).isNull();
        assertThat(limits.resetByPeer()).isEqualTo(AbuseLimit.RESETS);
    }

    @Test
    void countsTheResetsOfAServerAtTheirHeaders() {
        ByteBuf reset = Unpooled.buffer();
        for (int i = 0; i < 3; i++) {
            reset.writeMedium(4).writeByte(AbuseLimits.RST_STREAM).writeByte(0).writeInt(1);
            reset.writeInt(8);
        }
        assertThat(FrameFloodGuard.ofServer(limits).inspect(reset)).isEqualTo(AbuseLimit.RESETS);
        assertThat(FrameFloodGuard.ofClient(limits).inspect(reset)).isNull();
    }

    @Test
    void storesHundredPingsAtMost() {
        for (int i = 0; i < 1000; i++) {
            limits.headersSent();
            limits.dataSent(100_000, 7, false);
        }
        for (int i = 0; i < 102; i++) {
            assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        }
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isEqualTo(AbuseLimit.PINGS);
    }

    @Test
    void earnsNothingBySmallPiecesThatTheWindowsCut() {
        for (int i = 0; i < 1000; i++) {
            limits.dataSent(1023, 1, false);
        }
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isEqualTo(AbuseLimit.PINGS);
        limits.dataSent(1024, 1, false);
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isEqualTo(AbuseLimit.PINGS);
    }

    /** Sends 10,000 acknowledgements of what was sent, and more of nothing; what was sent earns no acknowledgements. */
    @ParameterizedTest
    @CsvSource({"4, SETTINGS", "6, PINGS"})
    void countsAcknowledgementsOfNothing(int type, AbuseLimit limit) {
        for (int i = 0; i < 10_000; i++) {
            limits.settingsSent();
            limits.pingSent();
            limits.headersSent();
        }
        for (int i = 0; i < 10_002; i++) {
            assertThat(limits.frame(type, AbuseLimits.ACK, 8)).isNull();
        }
        assertThat(limits.frame(type, AbuseLimits.ACK, 8)).isEqualTo(limit);
    }

    @Test
    void tracksThePartsOfAPushPromise() {
        FrameFloodGuard guard = FrameFloodGuard.ofServer(limits);
        ByteBuf part = Unpooled.buffer();
        part.writeMedium(5).writeByte(AbuseLimits.PUSH_PROMISE).writeByte(0).writeInt(1);
        assertThat(guard.inspect(part)).isNull();
        assertThat(guard.openBlock()).isEqualTo(1);
        assertThat(guard.inspect(Unpooled.buffer().writeZero(5))).isNull();
        assertThat(guard.openBlock()).as("the last frame is missing").isEqualTo(1);
        assertThat(limits.frame(AbuseLimits.CONTINUATION, 0, 66_000)).isEqualTo(AbuseLimit.FIELD_BLOCK);
    }

    @Test
    void countsEachKindSeparately() {
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        assertThat(limits.frame(AbuseLimits.PING, 0, 8)).isNull();
        assertThat(limits.frame(AbuseLimits.SETTINGS, 0, 0)).isNull();
        assertThat(limits.fault()).isNull();
        assertThat(limits.empty()).isNull();
    }

    @Test
    void limitsFramesAndBytesOfABlock() {
        assertThat(limits.frame(AbuseLimits.HEADERS, 0, 60_000)).isNull();
        assertThat(limits.frame(AbuseLimits.CONTINUATION, 0, 6_000)).isEqualTo(AbuseLimit.FIELD_BLOCK);

        assertThat(limits.frame(AbuseLimits.HEADERS, 0, 1)).isNull();
        for (int i = 0; i < 4; i++) { // in which 64 KiB fit
            assertThat(limits.frame(AbuseLimits.CONTINUATION, 0, 1)).isNull();
        }
        assertThat(limits.frame(AbuseLimits.CONTINUATION, 0, 1)).isEqualTo(AbuseLimit.CONTINUATIONS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 9, 10, 1000})
    void findsFramesInSplitBytes(int piece) {
        FrameFloodGuard guard = FrameFloodGuard.ofClient(limits);
        ByteBuf all = Unpooled.buffer();
        all.writeZero(24);
        for (int i = 0; i < 3; i++) {
            all.writeMedium(20)
                    .writeByte(AbuseLimits.DATA)
                    .writeByte(0)
                    .writeInt(1)
                    .writeZero(20);
            all.writeMedium(8)
                    .writeByte(AbuseLimits.PING)
                    .writeByte(0)
                    .writeInt(0)
                    .writeZero(8);
        }
        int looked = 0;
        AbuseLimit exceeded = null;
        while (all.isReadable() && exceeded == null) {
            int n = Math.min(piece, all.readableBytes());
            exceeded = guard.inspect(all.readSlice(n));
            looked += n;
        }

        assertThat(exceeded).isEqualTo(AbuseLimit.PINGS);
        int third = 24 + 2 * 46 + 29 + 9;
        assertThat(looked).isBetween(third, Math.min(third + piece, 24 + 3 * 46));
    }

    @Test
    void tracksOpenFieldBlocks() {
        FrameFloodGuard guard = FrameFloodGuard.ofClient(limits);
        ByteBuf head = Unpooled.buffer();
        head.writeZero(24);
        head.writeMedium(2)
                .writeByte(AbuseLimits.HEADERS)
                .writeByte(0)
                .writeInt(1)
                .writeZero(2);
        assertThat(guard.inspect(head)).isNull();
        assertThat(guard.openBlock()).isEqualTo(1);

        ByteBuf rest = Unpooled.buffer();
        rest.writeMedium(2)
                .writeByte(AbuseLimits.CONTINUATION)
                .writeByte(AbuseLimits.END_HEADERS)
                .writeInt(1)
                .writeZero(1);
        assertThat(guard.inspect(rest)).isNull();
        assertThat(guard.openBlock()).as("a byte is missing").isEqualTo(1);
        assertThat(guard.inspect(Unpooled.buffer().writeZero(1))).isNull();
        assertThat(guard.openBlock()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "PRI * HTTP/2.0~~SM~~, WHOLE",
        "PRI * HTTP/2.0~~SM~~more, WHOLE",
        "P, PART",
        "PRI * HTTP/2.0~, PART",
        "PRI * HTTP/1.1~~SM~~, NO",
        "POST / HTTP/1.1~~, NO",
        "G, NO",
    })
    void recognizesThePreface(String bytes, ConnectionPreface.Found found) {
        ByteBuf in = Unpooled.copiedBuffer(bytes.replace("~", "\r\n"), java.nio.charset.StandardCharsets.US_ASCII);

        assertThat(ConnectionPreface.inspect(in)).isEqualTo(found);
        assertThat(in.readerIndex()).isZero();
    }
}
