package dev.postern.core.exchange;

import dev.postern.core.spi.Decision;
import org.jspecify.annotations.Nullable;

/** Error page renderer: renders the pages that browsers get for refusals. */
@FunctionalInterface
public interface ErrorPageRenderer {

    /** Key of the renderer in the snapshot that applies to an exchange; empty for the gateway's own pages. */
    ExchangeKey<ErrorPageRenderer> KEY = ExchangeKey.of("pages of refusals");

    /** Returns HTML, or null for the gateway's own page. */
    @Nullable
    String html(Exchange exchange, Decision.Refused refusal);
}
