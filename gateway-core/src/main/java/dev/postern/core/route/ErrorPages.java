package dev.postern.core.route;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.transform.TextTemplate;
import dev.postern.core.spi.Decision;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Error pages of a route: HTML in place of the gateway's pages for refusals, by code or by status. Others are rendered as on other routes.
 *
 * @param html by code, such as {@code upstream-down}, or status, such as {@code 404}; the code comes first
 */
public record ErrorPages(Map<String, TextTemplate> html) implements ErrorPageRenderer {

    private static final String STATUS = "status";
    private static final String CODE = "code";
    private static final String DETAIL = "detail";
    private static final String REQUEST_ID = "request-id";

    public ErrorPages {
        html = Map.copyOf(html);
    }

    /** Parses a page; throws {@link IllegalArgumentException} with value and expectation. */
    public static TextTemplate page(String text) {
        return TextTemplate.of(text, List.of(REQUEST_ID, STATUS, CODE, DETAIL));
    }

    @Override
    public @Nullable String html(Exchange exchange, Decision.Refused refused) {
        TextTemplate page = html.get(refused.code());
        if (page == null) {
            page = html.get(Integer.toString(refused.status()));
        }
        if (page != null) {
            return page.fill(word -> escaped(value(word, exchange, refused)));
        }
        ErrorPageRenderer others = RoutingSnapshot.of(exchange).pages();
        return others == null ? null : others.html(exchange, refused);
    }

    private static String value(String word, Exchange exchange, Decision.Refused refused) {
        return switch (word) {
            case STATUS -> Integer.toString(refused.status());
            case CODE -> refused.code();
            case DETAIL -> refused.detail();
            default -> exchange.requestIdText();
        };
    }

    /** Escapes a text for content and quoted attributes of HTML: codes and details may come from extensions. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
