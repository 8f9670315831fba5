package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Complete request as one of the two readers sees it.
 *
 * @param target normalized by the gateway; unchanged by Netty
 * @param fields {@code name: value} each
 * @param trailers those that may be forwarded
 */
record ReadRequest(
        String method, String version, String target, List<String> fields, String body, List<String> trailers) {

    private static final int MAX = 8192;

    /**
     * Requests that one reader found on a connection.
     *
     * @param refused whether the reader stopped with an error
     */
    record Connection(List<ReadRequest> requests, boolean refused) {}

    static Connection ours(byte[] input) {
        List<ReadRequest> requests = new ArrayList<>();
        int offset = 0;
        while (offset < input.length) {
            ParsedHead<RequestHead> head = ParsedHead.of(
                    new RequestHeadParser(new HeadLimits(MAX, 256, 32), false, false),
                    new RequestHead(),
                    List.of(Arrays.copyOfRange(input, offset, input.length)));
            RequestHead found = head.head();
            if (found == null) {
                return new Connection(requests, head.refusal() != null);
            }
            offset += head.consumed();
            ParsedBody body = new ParsedBody("", null, null, 0);
            if (found.hasBody()) {
                body = ParsedBody.of(found.bodyLength(), List.of(Arrays.copyOfRange(input, offset, input.length)));
                if (!body.whole()) {
                    return new Connection(requests, body.fault() != null);
                }
            }
            offset += body.consumed();
            requests.add(ours(found, body));
        }
        return new Connection(requests, false);
    }

    private static ReadRequest ours(RequestHead head, ParsedBody body) {
        Trailers trailers = body.trailers();
        boolean some = trailers != null && trailers.strip();
        String target = head.method().name().equals("CONNECT")
                ? head.authority()
                : (head.absolute() ? head.scheme() + "://" + head.authority() : "") + head.path() + head.query();
        return new ReadRequest(
                head.method().name(),
                "HTTP/1." + head.minorVersion(),
                target,
                ParsedHead.fields(head),
                body.data(),
                some ? body.fields() : List.of());
    }

    static Connection nettys(byte[] input) {
        HttpDecoderConfig config = new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX)
                .setMaxHeaderSize(MAX)
                .setMaxChunkSize(MAX);
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder(config));
        try {
            channel.writeInbound(Unpooled.copiedBuffer(input));
            return nettys(channel);
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static Connection nettys(EmbeddedChannel channel) {
        List<ReadRequest> requests = new ArrayList<>();
        HttpRequest head = null;
        StringBuilder body = new StringBuilder();
        for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
            try {
                if (message instanceof HttpRequest request) {
                    if (request.decoderResult().isFailure()) {
                        return new Connection(requests, true);
                    }
                    head = request;
                    body.setLength(0);
                }
                if (message instanceof HttpContent content) {
                    if (content.decoderResult().isFailure()) {
                        return new Connection(requests, true);
                    }
                    body.append(content.content().toString(ISO_8859_1));
                }
                if (message instanceof LastHttpContent last && head != null) {
                    requests.add(new ReadRequest(
                            head.method().name(),
                            head.protocolVersion().text(),
                            head.uri(),
                            fields(head.headers()),
                            body.toString(),
                            fields(last.trailingHeaders())));
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }
        return new Connection(requests, false);
    }

    private static List<String> fields(HttpHeaders headers) {
        List<String> fields = new ArrayList<>();
        headers.iteratorCharSequence().forEachRemaining(field -> fields.add(field.getKey() + ": " + field.getValue()));
        return fields;
    }
}
