package dev.postern.core.route.transform;

import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Static response of a route, in place of an upstream. Immutable. */
public final class StaticResponse {

    private static final String TEXT = "text/plain; charset=utf-8";

    private final LocalReply reply;

    /** @param headers further fields; Content-Type is that of the body, otherwise text */
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
        this.reply = new LocalReply(status, type, List.copyOf(fields), body.getBytes(StandardCharsets.UTF_8));
    }

    LocalReply reply() {
        return reply;
    }
}
