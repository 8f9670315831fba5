package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.Must;
import dev.postern.core.fuzz.Splits;
import dev.postern.core.fuzz.StrictChunks;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http1.codec.ChunkWriter;
import dev.postern.core.http1.codec.HeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import java.util.List;

/**
 * The reader of bodies (RFC 9112 sections 6 and 7.1): the same data, trailers and end however the bytes are cut, those that the grammar finds,
 * and written by us the same again.
 */
public final class ChunksFuzz {

    private ChunksFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether it is a whole chunked body. */
    public static boolean accepts(byte[] input) {
        counted(input);
        Taken whole = Taken.of(RequestHead.CHUNKED, List.of(input));
        Must.equal(
                Taken.of(RequestHead.CHUNKED, Splits.of(input)).told(), whole.told(), "one reading however it is cut");
        StrictChunks strict = StrictChunks.read(new String(input, ISO_8859_1));
        Must.equal(whole.whole(), strict != null, "whole when the grammar says so");
        if (strict == null) {
            return false;
        }
        Must.equal(whole.data(), strict.data(), "the data");
        Must.equal(whole.fields(), strict.trailers(), "the trailers");
        Must.equal(whole.consumed(), strict.length(), "the end");
        written(input, whole);
        return true;
    }

    private static void counted(byte[] input) {
        int length = input.length * 2 / 3;
        if (length > 0) {
            Taken counted = Taken.of(length, Splits.of(input));
            Must.equal(
                    counted.data(), new String(Arrays.copyOf(input, length), ISO_8859_1), "so many bytes as were said");
            Must.equal(counted.consumed(), length, "and no more");
        }
    }

    /** As a relay does it: a chunk for each piece that came. */
    private static void written(byte[] input, Taken body) {
        ByteBuf out = Unpooled.buffer();
        int offset = 0;
        for (byte[] piece : Splits.of(input)) {
            int n = Math.min(piece.length, body.data().length() - offset);
            if (n > 0) {
                ChunkWriter.size(n, out);
                out.writeCharSequence(body.data().substring(offset, offset + n), ISO_8859_1);
                ChunkWriter.end(out);
                offset += n;
            }
        }
        Trailers trailers = body.trailers();
        boolean some = trailers != null && trailers.strip();
        if (trailers == null || !some) {
            ChunkWriter.last(out);
        } else {
            ChunkWriter.lastSize(out);
            ByteBuf behind = new HeadWriter().trailers(trailers, UnpooledByteBufAllocator.DEFAULT);
            if (behind == null) {
                throw new AssertionError("trailers that the last check does not pass");
            }
            out.writeBytes(behind);
            behind.release();
        }
        StrictChunks again = StrictChunks.read(out.toString(ISO_8859_1));
        Must.hold(again != null && again.length() == out.readableBytes(), "a whole body");
        if (again != null) {
            Must.equal(again.data(), body.data(), "the data there and back");
            Must.equal(again.trailers(), some ? body.fields() : List.of(), "the trailers there and back");
        }
    }
}
