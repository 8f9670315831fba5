package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.FuzzCheck;
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
 * Fuzzes the parser of bodies (RFC 9112 sections 6 and 7.1). The result does not depend on how the bytes are split, equals the result of the
 * grammar, and is the same after the gateway wrote and parsed the body again.
 */
public final class ChunksFuzz {

    private ChunksFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a complete chunked body. */
    public static boolean accepts(byte[] input) {
        checkContentLength(input);
        checkResponse(input);
        ParsedBody whole = ParsedBody.of(RequestHead.CHUNKED, List.of(input));
        FuzzCheck.equal(
                ParsedBody.of(RequestHead.CHUNKED, Splits.of(input)).describe(),
                whole.describe(),
                "the same result for split bytes");
        StrictChunks strict = StrictChunks.read(new String(input, ISO_8859_1));
        FuzzCheck.equal(whole.whole(), strict != null, "complete when the grammar accepts it");
        if (strict == null) {
            return false;
        }
        FuzzCheck.equal(whole.data(), strict.data(), "the data");
        FuzzCheck.equal(whole.fields(), strict.trailers(), "the trailers");
        FuzzCheck.equal(whole.consumed(), strict.length(), "the end");
        checkWritten(input, whole);
        return true;
    }

    private static void checkContentLength(byte[] input) {
        int length = input.length * 2 / 3;
        if (length > 0) {
            ParsedBody checkContentLength = ParsedBody.of(length, Splits.of(input));
            FuzzCheck.equal(
                    checkContentLength.data(),
                    new String(Arrays.copyOf(input, length), ISO_8859_1),
                    "so many bytes as were said");
            FuzzCheck.equal(checkContentLength.consumed(), length, "and no more");
        }
    }

    /** Checks the same bytes as a response, of which more spellings are accepted; those of a request mean the same there. */
    private static void checkResponse(byte[] input) {
        ParsedBody whole = ParsedBody.ofResponse(List.of(input));
        FuzzCheck.equal(
                ParsedBody.ofResponse(Splits.of(input)).describe(),
                whole.describe(),
                "the same response for split bytes");
        StrictChunks strict = StrictChunks.readResponse(new String(input, ISO_8859_1));
        FuzzCheck.equal(whole.whole(), strict != null, "a complete response when its grammar accepts it");
        ParsedBody request = ParsedBody.of(RequestHead.CHUNKED, List.of(input));
        if (request.whole()) {
            FuzzCheck.equal(whole.describe(), request.describe(), "what is one of a request is one of a response");
        }
        if (strict != null) {
            FuzzCheck.equal(whole.data(), strict.data(), "the data of the response");
            FuzzCheck.equal(whole.fields(), strict.trailers(), "the trailers of the response");
            FuzzCheck.equal(whole.consumed(), strict.length(), "the end of the response");
        }
    }

    /** Writes a chunk for each piece that arrived, as a relay does. */
    private static void checkWritten(byte[] input, ParsedBody body) {
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
            ByteBuf following = new HeadWriter().trailers(trailers, UnpooledByteBufAllocator.DEFAULT);
            if (following == null) {
                throw new AssertionError("trailers that the last check does not pass");
            }
            out.writeBytes(following);
            following.release();
        }
        StrictChunks reparsed = StrictChunks.read(out.toString(ISO_8859_1));
        FuzzCheck.hold(reparsed != null && reparsed.length() == out.readableBytes(), "a whole body");
        if (reparsed != null) {
            FuzzCheck.equal(reparsed.data(), body.data(), "the data there and back");
            FuzzCheck.equal(reparsed.trailers(), some ? body.fields() : List.of(), "the trailers there and back");
        }
    }
}
