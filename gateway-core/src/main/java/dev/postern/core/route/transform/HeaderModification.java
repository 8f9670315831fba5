package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import org.jspecify.annotations.Nullable;

/** Modification of a header that sets or adds one field; a constant field is encoded only once. Immutable. */
public final class HeaderModification {

    private final FieldName name;
    private final Template value;
    private final @Nullable Field ready;

    public HeaderModification(FieldName name, Template value) {
        this.name = name;
        this.value = value;
        @Nullable String constant = value.constant();
        this.ready = constant == null ? null : Field.of(name, constant.strip());
    }

    FieldName name() {
        return name;
    }

    void addTo(Head head, Exchange exchange) {
        if (ready != null) {
            head.add(ready);
        } else {
            // A placeholder may be empty, and whitespace around a value makes an HTTP/2 message malformed (RFC 9113
            // section 8.2.1).
            head.add(name, value.fill(exchange).strip());
        }
    }
}
