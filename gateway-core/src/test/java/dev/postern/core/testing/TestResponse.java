package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Parts of responses that a test writes into a {@link ResponseSink}; their fields may have any bytes. */
public final class TestResponse {

    private TestResponse() {}

    /** Returns a head with alternating names and values of fields, and a body of unknown length. */
    public static ResponseHead head(int status, String... fields) {
        ResponseHead head = new ResponseHead().status(status).bodyLength(ResponseHead.CHUNKED);
        for (int i = 0; i < fields.length; i += 2) {
            RawField.add(head, fields[i], fields[i + 1]);
        }
        return head;
    }

    public static Trailers trailers(String name, String value) {
        Trailers trailers = new Trailers();
        RawField.add(trailers, name, value);
        return trailers;
    }

    public static ByteBuf data(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    /** Returns so many bytes. */
    public static ByteBuf data(int bytes) {
        return data("x".repeat(bytes));
    }

    /** Responds with 200 and this body. */
    public static void ok(Exchange exchange, String body) {
        ResponseSink response = exchange.response();
        response.head(head(200).bodyLength(body.length()));
        response.data(data(body));
        response.end();
    }
}
