package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import org.jspecify.annotations.Nullable;

/** One field that a route sets or adds; written only once when every exchange gets the same. Immutable. */
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
            // A place may be empty, and blanks around a value make a message of HTTP/2 malformed (RFC 9113 section
            // 8.2.1).
            head.add(name, value.fill(exchange).strip());
        }
    }
}
