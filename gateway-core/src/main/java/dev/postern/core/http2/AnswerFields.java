package dev.postern.core.http2;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.ResponseHead;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The head of an answer as fields of HTTP/2 (RFC 9113 section 8.3.2): lower-case names, and nothing that concerns a connection. */
final class AnswerFields {

    private static final int LEAST = 100;
    private static final List<AsciiString> STATUSES = IntStream.range(LEAST, 1000)
            .mapToObj(status -> AsciiString.cached(Integer.toString(status)))
            .toList();

    private static final List<FieldName> OF_CONNECTIONS = List.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE);

    private AnswerFields() {}

    /** Copies what it needs: the head may be used again. */
    static Http2Headers of(ResponseHead head) {
        AsciiString[] pairs = new AsciiString[head.fields() * 2];
        int n = 0;
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i) && !ofConnection(head, i)) {
                pairs[n++] = name(head, i);
                pairs[n++] = new AsciiString(head.bytes(), head.valueStart(i), head.valueLength(i), true);
            }
        }
        AsciiString[] filled = n == pairs.length ? pairs : Arrays.copyOf(pairs, n);
        return ReadOnlyHttp2Headers.serverHeaders(false, STATUSES.get(head.status() - LEAST), filled);
    }

    private static boolean ofConnection(ResponseHead head, int index) {
        for (int i = 0; i < OF_CONNECTIONS.size(); i++) {
            if (head.named(index, OF_CONNECTIONS.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static AsciiString name(ResponseHead head, int index) {
        return new AsciiString(head.bytes(), head.nameStart(index), head.nameLength(index), true).toLowerCase();
    }
}
