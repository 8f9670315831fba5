package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.ProxyStatus;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.spi.Decision;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Local reply: a complete, small response that the gateway generates itself. Clients of gRPC get a refusal as a status of gRPC, with the
 * same fields.
 *
 * @param status the final status
 * @param contentType type of the body; ignored for an empty body
 * @param fields further fields; {@code Cache-Control: no-store} is added to every reply
 * @param body the bytes, not copied
 */
public record LocalReply(int status, String contentType, List<Field> fields, byte[] body) {

    /** Key of the filter that completes every local reply on the route of an exchange; empty before <i>match</i>. */
    public static final ExchangeKey<Filter> FILTER = ExchangeKey.of("filter of local replies");

    private static final int OK = 200;
    /** Lowest status of a refusal, and of any response that another proxy does not take for permission. */
    public static final int LEAST_REFUSAL = 300;

    private static final Field NO_STORE = Field.of(FieldName.CACHE_CONTROL, "no-store");

    public static LocalReply of(int status, String contentType, String body, Field... fields) {
        return new LocalReply(status, contentType, List.of(fields), body.getBytes(UTF_8));
    }

    /** Creates a refusal as problem+json, or as a page for clients that prefer a page. */
    public static LocalReply of(Refusal refusal, Exchange exchange, List<Field> fields) {
        boolean forward = exchange.client().listener().mode() == ListenerInfo.Mode.FORWARD;
        List<Field> all = fields;
        if (refusal.retriable() && fields.stream().noneMatch(f -> f.name().equals(FieldName.RETRY_AFTER))) {
            all = with(all, Field.of(FieldName.RETRY_AFTER, "1"));
        }
        @Nullable Field proxyStatus = forward ? ProxyStatus.of(refusal) : null;
        if (proxyStatus != null) {
            all = with(all, proxyStatus);
        }
        RefusalRenderer renderer = RefusalRenderer.of(refusal, forward);
        return forward || !RefusalRenderer.wantsPage(exchange.request())
                ? new LocalReply(
                        renderer.status(), "application/problem+json", all, renderer.problem(exchange.requestId()))
                : new LocalReply(renderer.status(), "text/html; charset=utf-8", all, page(refusal, renderer, exchange));
    }

    private static List<Field> with(List<Field> fields, Field last) {
        List<Field> all = new ArrayList<>(fields);
        all.add(last);
        return all;
    }

    private static byte[] page(Refusal refusal, RefusalRenderer renderer, Exchange exchange) {
        @Nullable ErrorPageRenderer pages = exchange.get(ErrorPageRenderer.KEY);
        return pages == null
                ? renderer.page(exchange)
                : page(
                        pages,
                        new Decision.Refused(renderer.status(), refusal.code(), refusal.advice()),
                        renderer,
                        exchange);
    }

    private static byte[] page(
            ErrorPageRenderer pages, Decision.Refused refused, RefusalRenderer renderer, Exchange exchange) {
        @Nullable String html = pages.html(exchange, refused);
        return html == null ? renderer.page(exchange) : html.getBytes(UTF_8);
    }

    /** Returns the problem+json of a refusal with another detail, for clients that never had an exchange. */
    public static byte[] problem(Refusal refusal, String detail) {
        return RefusalRenderer.of(new Decision.Refused(refusal.status(), refusal.code(), detail), refusal.blame())
                .problem(null);
    }

    /** Creates a refusal by an extension, which is not in the table {@link Refusal}. */
    public static LocalReply of(Decision.Refused refused, Exchange exchange) {
        RefusalRenderer renderer = RefusalRenderer.of(refused, Refusal.EXTENSION_REFUSED.blame());
        if (exchange.client().listener().mode() == ListenerInfo.Mode.FORWARD
                || !RefusalRenderer.wantsPage(exchange.request())) {
            return new LocalReply(
                    renderer.status(), "application/problem+json", List.of(), renderer.problem(exchange.requestId()));
        }
        @Nullable ErrorPageRenderer pages = exchange.get(ErrorPageRenderer.KEY);
        byte[] page = pages == null ? renderer.page(exchange) : page(pages, refused, renderer, exchange);
        return new LocalReply(renderer.status(), "text/html; charset=utf-8", List.of(), page);
    }

    /** Returns the same reply with another status. */
    public LocalReply withStatus(int other) {
        return new LocalReply(other, contentType, fields, body);
    }

    /** Writes the whole response; only {@link Exchange#reply} calls this method. */
    public void writeTo(Exchange exchange) {
        @Nullable Question question = exchange.get(Question.KEY);
        if (question == null) {
            boolean grpc = GrpcStatus.expected(exchange.request())
                    && (status >= LEAST_REFUSAL || exchange.outcome().refusal() != null);
            write(exchange, grpc);
        } else {
            // Never as a status of gRPC, whose HTTP status is 200: the proxy would let the request pass.
            question.response(this, exchange).write(exchange, false);
        }
    }

    private void write(Exchange exchange, boolean grpc) {
        ResponseHead head = grpc ? trailersOnly(exchange) : head();
        Filter filter = exchange.get(FILTER);
        if (filter != null) {
            filter.complete(head, exchange);
        }
        exchange.outcome().status(status);
        ResponseSink response = exchange.response();
        response.head(head);
        if (body.length > 0 && !grpc && !exchange.request().messageMethod().equals(Method.HEAD)) {
            response.data(Unpooled.wrappedBuffer(body));
        }
        response.end();
        response.flush();
    }

    private ResponseHead head() {
        ResponseHead head = new ResponseHead().status(status).bodyLength(body.length);
        addFields(head);
        if (body.length > 0) {
            head.add(FieldName.CONTENT_TYPE, contentType);
        }
        if (status != 204) {
            head.add(FieldName.CONTENT_LENGTH, Integer.toString(body.length));
        }
        return head;
    }

    /** Returns the head that is the whole response to a client of gRPC. */
    private ResponseHead trailersOnly(Exchange exchange) {
        ResponseHead head = new ResponseHead().status(OK).bodyLength(0);
        addFields(head);
        head.add(GrpcStatus.type());
        for (Field field : GrpcStatus.fields(status, exchange.outcome().refusal())) {
            head.add(field);
        }
        return head;
    }

    private void addFields(ResponseHead head) {
        for (Field field : fields) {
            head.add(field);
        }
        if (!head.has(FieldName.CACHE_CONTROL)) {
            head.add(NO_STORE);
        }
    }

    /** Filter that completes the head of a response generated by the gateway. */
    @FunctionalInterface
    public interface Filter {

        void complete(ResponseHead head, Exchange exchange);
    }
}
