package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what one call of the decoder consumes, and what it leaves. */
class MemcachedReplyDecoderTest {

    private static final String STORED = NettyMemcachedConnectionFixture.STORED;
    private static final String NOT_STORED = NettyMemcachedConnectionFixture.NOT_STORED;
    private static final String FULL = NettyMemcachedConnectionFixture.FULL;
    private static final String SHOWN = NettyMemcachedConnectionFixture.SHOWN;

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer server = fixture.server();
    private final MarkedConnection marked = new MarkedConnection(new MarkedConnection.Listener() {});
    private final FakeMemcachedConnection connection = new FakeMemcachedConnection(marked);
    private final MemcachedReplyDecoder decoder = new MemcachedReplyDecoder(connection, fixture.encoding.epoch());
    private final ByteBuf in = Unpooled.buffer();
    private final List<StoreReply> replies = new ArrayList<>();

    @BeforeEach
    void verify() {
        fixture.state.observed(0, MemcachedFixture.MARKER);
        marked.marker(MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        in.release();
        fixture.close();
    }

    @Test
    void readsAllRepliesOfOneReceivedBufferAtOnce() throws IOException {
        for (int round = 0; round < 2; round++) {
            List<PendingAdd> adds = expect(3);
            decoder.expectMarker();
            decoder.expect(command());
            PendingAdd last = expect(1).get(0);
            decoder.expectMarker();

            assertThat(read(STORED + NOT_STORED + FULL + SHOWN + "EXISTS\r\n" + STORED + SHOWN))
                    .isTrue();

            assertThat(in.isReadable()).isFalse();
            assertThat(adds)
                    .extracting(PendingAdd::result)
                    .containsExactly(SpendResult.FRESH, SpendResult.SPENT, SpendResult.UNKNOWN);
            assertThat(last.result()).isEqualTo(SpendResult.FRESH);
            assertThat(connection.inFlight()).isZero();
        }
        assertThat(replies).containsExactly(StoreReply.NOT_STORED, StoreReply.NOT_STORED);
    }

    @Test
    void waitsForTheRestOfAReply() throws IOException {
        expect(1);
        decoder.expectMarker();
        decoder.expect(command());
        String whole = STORED + SHOWN + NOT_STORED;

        assertThat(read("")).isTrue();
        for (int i = 0; i < whole.length(); i++) {
            assertThat(replies).isEmpty();
            assertThat(read(whole.substring(i, i + 1))).isTrue();
        }

        assertThat(replies).containsExactly(StoreReply.NOT_STORED);
        assertThat(fixture.responses).hasSize(1);
    }

    @Test
    void readsTheSameMarkerSplitAtEachByte() throws IOException {
        for (int cut = 0; cut <= SHOWN.length(); cut++) {
            PendingAdd add = expect(1).get(0);
            decoder.expectMarker();

            assertThat(read(STORED + SHOWN.substring(0, cut))).isTrue();
            assertThat(add.responded()).as("split at %d", cut).isEqualTo(cut == SHOWN.length());
            assertThat(read(SHOWN.substring(cut))).isTrue();

            assertThat(add.result()).as("split at %d", cut).isEqualTo(SpendResult.FRESH);
        }
    }

    @Test
    void refusesTheMarkerThatChangedAfterItsHead() throws IOException {
        expect(1);
        decoder.expectMarker();
        read(STORED + SHOWN);
        PendingAdd add = expect(1).get(0);
        decoder.expectMarker();

        read(STORED + SHOWN.replace(" 7\r\n0011", " 7\r\nffee"));

        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(marked.marker()).isNull();
    }

    @Test
    void leavesBytesThatBelongToNoCommand() throws IOException {
        assertThat(read("")).as("nothing received").isTrue();
        PendingAdd add = expect(1).get(0);

        assertThat(read(NOT_STORED + "X")).isFalse();

        assertThat(add.result()).isEqualTo(SpendResult.SPENT);
        assertThat(in.toString(ISO_8859_1)).isEqualTo("X");
    }

    @Test
    void consumesTheLineThatItRefuses() {
        List<PendingAdd> adds = expect(2);

        assertThatThrownBy(() -> read("ERROR\r\nX")).isInstanceOf(CorruptedFrameException.class);

        assertThat(adds).extracting(PendingAdd::reply).containsExactly(StoreReply.REFUSED, null);
        assertThat(in.toString(ISO_8859_1)).isEqualTo("X");
    }

    @Test
    void knowsAServerErrorByItsFirstFourBytes() throws IOException {
        List<PendingAdd> adds = expect(2);

        assertThat(read("SERV\n" + NOT_STORED)).isTrue();

        assertThat(adds).extracting(PendingAdd::reply).containsExactly(StoreReply.REFUSED, StoreReply.NOT_STORED);
    }

    @Test
    void acceptsLinesOfTheServersMaximumLength() throws IOException {
        PendingAdd add = expect(1).get(0);

        assertThat(read("SERVER_ERROR " + "x".repeat(2048 - 13))).isTrue();
        assertThat(add.reply()).isNull();
        assertThatThrownBy(() -> read("x")).hasMessageContaining("2049 bytes without an end of line");
    }

    @Test
    void completesStoredSpendsWhenTheConnectionIsLostBeforeTheMarker() throws IOException {
        List<PendingAdd> adds = expect(2);
        decoder.expectMarker();
        decoder.expect(command());
        read(STORED);
        assertThat(fixture.responses).isEmpty();

        decoder.lost();

        assertThat(fixture.responses).hasSize(2);
        assertThat(adds).extracting(PendingAdd::reply).containsExactly(StoreReply.STORED, StoreReply.LOST);
        assertThat(adds).extracting(PendingAdd::result).containsOnly(SpendResult.UNKNOWN);
        assertThat(replies).as("was never written").containsExactly(StoreReply.UNSENT);
        assertThat(connection.inFlight()).isZero();
        assertThat(marked.marker())
                .as("a lost connection says nothing about the marker")
                .isNotNull();
    }

    private List<PendingAdd> expect(int count) {
        List<PendingAdd> adds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PendingAdd add = fixture.attempt(server);
            connection.enter();
            decoder.expect(add);
            adds.add(add);
        }
        return adds;
    }

    private StoreCommand command() {
        return new StoreCommand(ByteBuffer.allocate(1), NettyMemcachedConnectionFixture.later(), replies::add);
    }

    private boolean read(String text) throws IOException {
        in.writeCharSequence(text, ISO_8859_1);
        return decoder.read(in);
    }
}
