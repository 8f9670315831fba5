package dev.postern.core.exchange;

import dev.postern.core.spi.Decision;
import org.jspecify.annotations.Nullable;

/** Renders the pages that browsers are shown of refusals. */
@FunctionalInterface
public interface ErrorPageRenderer {

    /** The renderer of the snapshot that rules an exchange; empty for the gateway's own pages. */
    ExchangeKey<ErrorPageRenderer> SLOT = ExchangeKey.of("pages of refusals");

    /** HTML, or null for our own. */
    @Nullable
    String html(Exchange exchange, Decision.Refused refusal);
}
