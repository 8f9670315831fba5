package dev.postern.core.extension;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.LogField;
import org.jspecify.annotations.Nullable;

/** Log field whose errors omit only the field. */
record GuardedLogField(String name, LogField field, ExtensionErrors errors) implements ExtensionLoader.ExtraField {

    GuardedLogField(LogField field, ExtensionErrors errors) {
        this(field.name(), field, errors);
    }

    GuardedLogField {
        if (!name.matches("[a-z][a-z0-9-]{0,39}")) {
            throw new IllegalStateException(
                    "extensions: log field " + name + " (expected: up to 40 of a-z, 0-9 and dashes)");
        }
    }

    @Override
    public @Nullable String value(Exchange exchange) {
        try {
            return field.value(new RequestView(exchange), exchange.outcome().status());
        } catch (RuntimeException | LinkageError e) {
            errors.note(field, "log field " + name, e);
            return null;
        }
    }
}
