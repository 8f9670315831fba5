package dev.postern.core.spi;

import org.jspecify.annotations.Nullable;

/** One more field of each line of the exchange log. */
public interface LogField extends Extension {

    /** The key of the field: kebab-case, and none of the log's own. */
    String name();

    /** The text of the field for an exchange that has ended with that status, 0 when the client left before; null for no field. */
    @Nullable
    String value(Request request, int status);
}
