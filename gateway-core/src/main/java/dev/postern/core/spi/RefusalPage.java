package dev.postern.core.spi;

import org.jspecify.annotations.Nullable;

/** Refusal page: replaces the gateway's own page that browsers get with a refusal; other clients still get problem+json. */
public interface RefusalPage extends Extension {

    /**
     * Returns a whole page of HTML; null leaves the page to the next extension, and finally to the gateway. The page must escape all text
     * from the request.
     */
    @Nullable
    String html(Request request, Decision.Refused refusal);
}
