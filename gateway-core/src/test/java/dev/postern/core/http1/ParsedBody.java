package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http1.codec.BodyDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of the body parser.
 *
 * @param fault why it refused them, or null
 * @param consumed bytes up to the end of the body; 0 without an end
 */
record ParsedBody(
        String data, @Nullable Trailers trailers, @Nullable String fault, int consumed) {

    static ParsedBody of(long length, List<byte[]> pieces) {
        return of(new BodyDecoder(), length, pieces);
    }

    /** Parses the chunks of a response. */
    static ParsedBody ofResponse(List<byte[]> pieces) {
        return of(BodyDecoder.ofResponses(), ResponseHead.CHUNKED, pieces);
    }

    private static ParsedBody of(BodyDecoder decoder, long length, List<byte[]> pieces) {
        decoder.begin(length);
        StringBuilder data = new StringBuilder();
        int given = 0;
        for (byte[] piece : pieces) {
            ByteBuf in = Unpooled.wrappedBuffer(piece);
            given += piece.length;
            try {
                for (ByteBuf part = decoder.next(in); part != null; part = decoder.next(in)) {
                    data.append(part.toString(ISO_8859_1));
                    part.release();
                }
            } catch (HttpParseException fault) {
                return new ParsedBody(data.toString(), null, fault.getMessage(), 0);
            }
            if (decoder.done()) {
                return new ParsedBody(data.toString(), decoder.trailers(), null, given - in.readableBytes());
            }
        }
        return new ParsedBody(data.toString(), null, null, 0);
    }

    boolean whole() {
        return consumed > 0;
    }

    List<String> fields() {
        return trailers == null ? List.of() : ParsedHead.fields(trailers);
    }

    /** Returns all properties of the body as text. */
    String describe() {
        return consumed + " " + fault + " " + fields() + " " + data;
    }
}
