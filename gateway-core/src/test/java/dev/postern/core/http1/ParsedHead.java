package dev.postern.core.http1;

import dev.postern.core.http.Head;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http1.codec.HeadParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a head parser.
 *
 * @param head null when it is incomplete or refused
 * @param refusal null when it is incomplete or accepted
 * @param consumed bytes up to the end of the head; 0 without one
 */
record ParsedHead<H extends Head>(
        @Nullable H head,
        @Nullable Refusal refusal,
        @Nullable String why,
        int consumed) {

    static <H extends Head> ParsedHead<H> of(HeadParser<H> parser, H into, List<byte[]> pieces) {
        parser.begin(into);
        int given = 0;
        for (byte[] piece : pieces) {
            ByteBuf in = Unpooled.wrappedBuffer(piece);
            given += piece.length;
            try {
                if (parser.scan(in)) {
                    return new ParsedHead<>(into, null, null, given - in.readableBytes());
                }
            } catch (HttpParseException fault) {
                return new ParsedHead<>(null, fault.refusal(), fault.getMessage(), 0);
            }
        }
        return new ParsedHead<>(null, null, null, 0);
    }

    /** Returns all properties of the head as text. */
    String describe() {
        H found = head;
        if (found instanceof RequestHead request) {
            return consumed + " " + request.method() + " " + request.scheme() + " " + request.authority() + " "
                    + request.path() + " " + request.query() + " " + request.minorVersion() + " "
                    + request.bodyLength() + " " + request.keepAlive() + " " + request.absolute() + " "
                    + request.expectsContinue() + " " + request.upgrade() + " " + request.takesTrailers() + " "
                    + fields(request);
        }
        if (found instanceof ResponseHead response) {
            return consumed + " " + response.status() + " " + response.minorVersion() + " " + response.bodyLength()
                    + " " + response.keepAlive() + " " + fields(response);
        }
        return refusal + " " + why;
    }

    /** Returns its fields as {@code name: value}. */
    static List<String> fields(Head head) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                fields.add(head.nameAt(i) + ": " + head.valueAt(i));
            }
        }
        return fields;
    }
}
