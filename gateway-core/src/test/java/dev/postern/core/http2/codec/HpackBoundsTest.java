package dev.postern.core.http2.codec;

import static dev.postern.core.testing.TestResponse.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Head;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitExceeded;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import dev.postern.core.testing.flood.Floods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Exception;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the bounds of field sections and of the tables behind them (RFC 7541). */
@ExtendWith(LeakExtension.class)
class HpackBoundsTest {

    private static final int TABLE_SIZE = 1;

    private final Fields block = new Fields(new HeadLimits(1_024, 256, 32));

    /** Header block of a message with the pseudo-header :a. */
    private static final class Fields extends HeaderBlock {

        private boolean pseudo;

        Fields(HeadLimits limits) {
            super(limits, true, new ResponseHead());
        }

        @Override
        protected Head next() {
            pseudo = false;
            return new ResponseHead();
        }

        @Override
        protected @Nullable String pseudo(String name, byte[] value, int offset, int length) {
            pseudo = true;
            return name.equals(":a") ? null : "unknown pseudo-header";
        }

        @Override
        public boolean hasPseudo() {
            return pseudo;
        }
    }

    private void decode(String... fields) throws Http2Exception {
        new BoundedHpackDecoder(block).decodeHeaders(1, Unpooled.wrappedBuffer(FieldBlock.of(fields)));
    }

    // ---- sections

    /** Each field counts its name, its value and 32 bytes (RFC 9113 section 6.5.2). */
    @ParameterizedTest
    @CsvSource({"989, false", "990, true"})
    void countsTheBytesOfASection(int length, boolean tooLarge) throws Http2Exception {
        decode("x-a", "y".repeat(length));
        assertThat(block.tooLarge()).isEqualTo(tooLarge);
        assertThat(block.malformed()).isNull();
    }

    @Test
    void beginsEachSectionAnew() throws Http2Exception {
        decode("x-a", "y".repeat(2_000));
        decode(":a", "b", "x-a", "y");
        assertThat(block.tooLarge()).isFalse();
        assertThat(block.hasPseudo()).isTrue();
        decode("X-A", "y");
        assertThat(block.malformed()).isEqualTo("character in a field");
        decode("x-sum", "7", "x-b", "");
        assertThat(block.malformed()).isNull();
        assertThat(block.hasPseudo()).isFalse();
        assertThat(block.trailers().nameAt(0)).isEqualTo("x-sum");
        assertThat(block.trailers().valueAt(0)).isEqualTo("7");
        assertThat(block.trailers().fields()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-a        | b        | -",
                "te         | trailers | -",
                "te         | Trailers | -",
                "te         | gzip     | te",
                "te         | ''       | te",
                "connection | close    | field of a connection",
                "upgrade    | h2c      | field of a connection",
                "x-a        | ' b'     | blank around a value",
                "x-a        | 'b\t'    | blank around a value",
                "x-a        | 'a\nb'   | character in a field",
                "x-A        | b        | character in a field",
                "''         | b        | character in a field",
                ":b         | b        | unknown pseudo-header",
            })
    void namesTheFirstError(String name, String value, String error) throws Http2Exception {
        decode(name, value, "X-LATER", "c");
        assertThat(block.malformed()).isEqualTo(error.equals("-") ? "character in a field" : error);
        decode(name, value);
        assertThat(String.valueOf(block.malformed())).isEqualTo(error.equals("-") ? "null" : error);
    }

    @Test
    void aPseudoHeaderComesFirst() throws Http2Exception {
        decode("x-a", "b", ":a", "b");
        assertThat(block.malformed()).isEqualTo("pseudo-header after a field");
    }

    @Test
    void aSectionThatExpandsFarBeyondTheLimitEndsTheConnection() {
        BoundedHpackDecoder decoder = new BoundedHpackDecoder(block);
        assertThatThrownBy(() -> decoder.decodeHeaders(1, Unpooled.wrappedBuffer(Floods.bombBlock(true))))
                .isInstanceOfSatisfying(
                        AbuseLimitExceeded.class, e -> assertThat(e.limit()).isEqualTo(AbuseLimit.FIELD_SECTION));
    }

    // ---- tables

    /** Fields with credentials are not in the table that other messages use (RFC 7541 section 7.1.3). */
    @ParameterizedTest
    @CsvSource({"set-cookie, true", "authorization, true", "x-a, false"})
    void indexesNoCredentials(String name, boolean secret) {
        ServerChannel server = new ServerChannel().greet(TABLE_SIZE, 4_096);
        int first = respond(server, 1, name);
        int second = respond(server, 3, name);
        assertThat(second < first - 90).as("from the table").isEqualTo(!secret);
        server.close();
    }

    private static int respond(ServerChannel server, int stream, String name) {
        Exchange exchange = server.get(stream);
        exchange.response().head(head(200, name, "v".repeat(100), "date", "Sat, 28 Nov 2026 00:00:00 GMT"));
        exchange.response().end();
        server.channel().runPendingTasks();
        int length = 0;
        for (ByteBuf part = server.channel().readOutbound();
                part != null;
                part = server.channel().readOutbound()) {
            length += part.readableBytes();
            part.release();
        }
        return length;
    }

    /** A client that offers a huge table does not make the gateway keep one. */
    @Test
    void keepsABoundedTable() {
        ServerChannel server = new ServerChannel().greet(TABLE_SIZE, 1 << 20);
        for (int id = 1; id < 201; id += 2) {
            respond(server, id, "x-" + id);
        }
        int again = respond(server, 201, "x-1");
        assertThat(again).as("no longer in the table").isGreaterThan(50);
        assertThat(respond(server, 203, "x-1")).isLessThan(20);
        server.close();
    }

    @Test
    void announcesItsBounds() {
        ServerChannel server = new ServerChannel();
        server.client().greet();
        assertThat(server.client().await(FrameClient.SETTINGS).payload())
                .containsSequence(FrameClient.settings(1, 4_096))
                .containsSequence(FrameClient.settings(3, 128))
                .containsSequence(FrameClient.settings(4, 65_536))
                .containsSequence(FrameClient.settings(6, 16 * 1_024))
                .containsSequence(FrameClient.settings(8, 1));
        server.close();
    }
}
