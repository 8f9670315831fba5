package dev.postern.core.extension;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.Decision;
import dev.postern.core.spi.RefusalPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Error pages by extensions; where all fail or none returns a page, the default page is sent. */
record GuardedErrorPages(List<RefusalPage> pages, ExtensionErrors errors) implements ErrorPageRenderer {

    @Override
    public @Nullable String html(Exchange exchange, Decision.Refused refusal) {
        RequestView view = new RequestView(exchange);
        for (RefusalPage page : pages) {
            try {
                @Nullable String html = page.html(view, refusal);
                if (html != null) {
                    return html;
                }
            } catch (RuntimeException | LinkageError e) {
                errors.note(page, "page of " + refusal.code(), e);
            }
        }
        return null;
    }
}
