package dev.postern.core.route;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.Decision;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Error pages of a route: HTML in place of the gateway's pages for refusals, by code or by status. Others are rendered as on other routes.
 *
 * @param html by code, such as {@code upstream-down}, or status, such as {@code 404}; the code comes first
 */
public record ErrorPages(Map<String, String> html) implements ErrorPageRenderer {

    public ErrorPages {
        html = Map.copyOf(html);
    }

    @Override
    public @Nullable String html(Exchange exchange, Decision.Refused refused) {
        String page = html.get(refused.code());
        if (page == null) {
            page = html.get(Integer.toString(refused.status()));
        }
        if (page != null) {
            return page;
        }
        ErrorPageRenderer others = RoutingSnapshot.of(exchange).pages();
        return others == null ? null : others.html(exchange, refused);
    }
}
