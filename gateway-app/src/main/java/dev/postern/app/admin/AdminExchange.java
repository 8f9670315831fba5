package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import io.netty.buffer.Unpooled;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exchange of the admin address: one request and its response. Confined to the thread that serves it, which may be the admin event loop.
 */
public final class AdminExchange {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final Logger LOG = LoggerFactory.getLogger(AdminExchange.class);

    private final AdminRequest request;
    private final Exchange exchange;
    private final Map<String, String> fields = new LinkedHashMap<>();

    AdminExchange(AdminRequest request, Exchange exchange) {
        this.request = request;
        this.exchange = exchange;
    }

    AdminRequest request() {
        return request;
    }

    /** Returns the value of the parameter of query or form, or {@code or} if there is none. */
    public String parameter(String name, String or) {
        return Objects.requireNonNullElse(request.parameter(name), or);
    }

    /** Returns the value of the field, empty if the request has none. */
    public String field(String name) {
        return request.fields().getOrDefault(name, "");
    }

    /** Returns the address of the client. */
    InetAddress caller() {
        return exchange.clientAddress();
    }

    /** Sets a field of the response, which must not have begun. */
    public void set(String name, String value) {
        fields.put(name, value);
    }

    /** Sends a response with a text. Does not block. */
    public void send(int status, String type, String text) {
        byte[] body = text.getBytes(UTF_8);
        ResponseHead head = head(status, type).bodyLength(body.length);
        head.add(FieldName.CONTENT_LENGTH, Integer.toString(body.length));
        onLoop(() -> {
            ResponseSink response = exchange.response();
            response.head(head);
            if (!headOnly()) {
                response.data(Unpooled.wrappedBuffer(body));
            }
            response.end();
            response.flush();
        });
    }

    /** Sends a response with a status and no body. */
    void send(int status) {
        ResponseHead head = new ResponseHead().status(status).bodyLength(0);
        head.add(FieldName.CACHE_CONTROL, "no-store");
        head.add(FieldName.CONTENT_LENGTH, "0");
        fields.forEach((name, value) -> head.add(FieldName.of(name), value));
        onLoop(() -> {
            exchange.response().head(head);
            exchange.response().end();
            exchange.response().flush();
        });
    }

    /** Sends a response with a JSON document. */
    public void json(int status, Object document) {
        send(status, "application/json", JSON.writeValueAsString(document) + "\n");
    }

    /**
     * Begins a response of unknown length. Its stream blocks, and throws {@link java.io.IOException} when the client has closed the
     * connection.
     */
    public OutputStream stream(int status, String type) {
        ResponseHead head = head(status, type).bodyLength(ResponseHead.CHUNKED);
        onLoop(() -> {
            exchange.response().head(head);
            exchange.response().flush(); // the client learns from the head that its request is being served
        });
        return new AdminStream(exchange);
    }

    /** Refuses the exchange with an internal error, or cuts a response that has begun. */
    void fail() {
        onLoop(() -> {
            if (exchange.responding()) {
                exchange.response().cut();
            } else {
                exchange.refuse(Refusal.INTERNAL);
            }
        });
    }

    private ResponseHead head(int status, String type) {
        set("Content-Type", type);
        set("Cache-Control", "no-store");
        set("X-Content-Type-Options", "nosniff");
        ResponseHead head = new ResponseHead().status(status);
        fields.forEach((name, value) -> head.add(FieldName.of(name), value));
        return head;
    }

    private void onLoop(Runnable write) {
        try {
            exchange.loop().execute(write);
        } catch (RejectedExecutionException e) {
            LOG.debug("admin page {}: the address is closed", request.path());
        }
    }

    /** Returns whether the request is a HEAD request, so that the body is not sent. */
    private boolean headOnly() {
        return request.method().equals("HEAD");
    }
}
