package dev.postern.core.spi;

import org.jspecify.annotations.Nullable;

/** What browsers are shown instead of the gateway's own page when a request is refused; programs get problem+json all the same. */
public interface RefusalPage extends Extension {

    /** A whole page of HTML, or null to leave it to the next one and to the gateway in the end. Whatever it takes from the request it has to escape. */
    @Nullable
    String html(Request request, Decision.Refused refusal);
}
