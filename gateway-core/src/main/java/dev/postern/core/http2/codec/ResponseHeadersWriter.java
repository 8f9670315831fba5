package dev.postern.core.http2.codec;

import dev.postern.core.http.ResponseHead;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Writer of response heads as HTTP/2 fields (RFC 9113 section 8.3.2): lower-case names, without connection-specific fields. */
public final class ResponseHeadersWriter {

    private static final int LEAST = 100;
    private static final List<AsciiString> STATUSES = IntStream.range(LEAST, 1000)
            .mapToObj(status -> AsciiString.cached(Integer.toString(status)))
            .toList();

    private ResponseHeadersWriter() {}

    /** Returns the fields of the head, copied: the head may be reused. */
    public static Http2Headers of(ResponseHead head) {
        AsciiString[] pairs = new AsciiString[head.fields() * 2];
        int n = 0;
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i) && !Http2FieldNames.ofConnection(head, i)) {
                pairs[n++] = Http2FieldNames.lowerCase(head, i);
                pairs[n++] = new AsciiString(head.bytes(), head.valueStart(i), head.valueLength(i), true);
            }
        }
        AsciiString[] filled = n == pairs.length ? pairs : Arrays.copyOf(pairs, n);
        return ReadOnlyHttp2Headers.serverHeaders(false, STATUSES.get(head.status() - LEAST), filled);
    }
}
