package dev.postern.core.route.transform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Static response of a route, in place of an upstream. Its body may name the status and the id of the exchange. Immutable. */
public final class StaticResponse {

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String REQUEST_ID = "request-id";
    private static final String STATUS = "status";

    private final LocalReply constant;
    private final TextTemplate body;

    /**
     * Throws {@link IllegalArgumentException} for a body with an unknown placeholder.
     *
     * @param headers further fields; Content-Type is that of the body, otherwise text
     */
    public StaticResponse(int status, String body, Map<String, String> headers) {
        String type = TEXT;
        List<Field> fields = new ArrayList<>();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            FieldName name = FieldName.of(header.getKey());
            if (name.equals(FieldName.CONTENT_TYPE)) {
                type = header.getValue();
            } else {
                fields.add(Field.of(name, header.getValue()));
            }
        }
        this.body = body(body);
        byte[] bytes = this.body.constant() ? this.body.fill(word -> "").getBytes(UTF_8) : new byte[0];
        this.constant = new LocalReply(status, type, List.copyOf(fields), bytes);
    }

    /** Parses a body; throws {@link IllegalArgumentException} with value and expectation. */
    public static TextTemplate body(String text) {
        return TextTemplate.of(text, List.of(REQUEST_ID, STATUS));
    }

    LocalReply reply(Exchange exchange) {
        if (body.constant()) {
            return constant;
        }
        // Neither value has a character that HTML, XML or JSON would need escaped.
        String filled =
                body.fill(word -> word.equals(STATUS) ? Integer.toString(constant.status()) : exchange.requestIdText());
        return new LocalReply(constant.status(), constant.contentType(), constant.fields(), filled.getBytes(UTF_8));
    }
}
