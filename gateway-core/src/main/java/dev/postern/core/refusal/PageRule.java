package dev.postern.core.refusal;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.Decision;
import org.jspecify.annotations.Nullable;

/** Who writes the pages that people see of refusals. */
@FunctionalInterface
public interface PageRule {

    /** HTML, or null for our own. */
    @Nullable
    String html(Exchange exchange, Decision.Refused refusal);
}
