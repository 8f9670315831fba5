package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** One request to the admin address, and its answer. Confined to its thread. */
public final class AdminVisit {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final HttpExchange exchange;

    AdminVisit(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /** The value of that query parameter, or {@code or} where there is none. */
    public String parameter(String name, String or) {
        List<String> values =
                new QueryStringDecoder(exchange.getRequestURI()).parameters().get(name);
        return values == null || values.isEmpty() ? or : values.get(0);
    }

    /** The value of that field, empty where there is none. */
    public String field(String name) {
        return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
    }

    /** Whether a page of somebody else's site asks, in an operator's browser (Fetch Metadata). */
    public boolean foreign() {
        String site = field("Sec-Fetch-Site");
        return site.equals("cross-site") || site.equals("same-site");
    }

    /** Sets a field of the answer, which must not have begun. */
    public void set(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
    }

    /** Answers with a text. */
    public void send(int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        try (OutputStream out = begin(status, type, body.length)) {
            if (!headOnly()) {
                out.write(body);
            }
        }
    }

    /** Answers with a document. */
    public void json(int status, Object document) throws IOException {
        send(status, "application/json", JSON.writeValueAsString(document) + "\n");
    }

    /** Begins an answer of unknown length; whoever writes to it hears by {@link IOException} that the visitor has left. */
    public OutputStream stream(int status, String type) throws IOException {
        OutputStream out = begin(status, type, 0);
        out.flush(); // the head alone says that somebody is here; newer JDKs keep it until there is more
        return out;
    }

    /** @param length 0 for an answer whose length is not known */
    private OutputStream begin(int status, String type, int length) throws IOException {
        set("Content-Type", type);
        set("Cache-Control", "no-store");
        set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, headOnly() ? -1 : length);
        return exchange.getResponseBody();
    }

    /** Whether nobody wants to see the page itself. */
    public boolean headOnly() {
        return exchange.getRequestMethod().equals("HEAD");
    }
}
