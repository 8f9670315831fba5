package dev.postern.core.spi;

import org.jspecify.annotations.Nullable;

/** Log field: an additional field of each line of the exchange log. */
public interface LogField extends Extension {

    /** Returns the key of the field: kebab-case, different from the keys of the log itself. */
    String name();

    /** Returns the text of the field for an ended exchange with that status, 0 when the client disconnected before; null for no field. */
    @Nullable
    String value(Request request, int status);
}
