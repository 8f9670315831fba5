package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.spi.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorPagesTest {

    private final Exchange exchange = TestExchanges.exchange(
            TestExchanges.UNTRUSTED,
            new RequestHead().method(Method.GET).authority("site.example").target("/", ""),
            List.of());

    private static Decision.Refused refused(String detail) {
        return new Decision.Refused(403, "no-bots", detail);
    }

    @Test
    void valuesAreEscapedForHtml() {
        ErrorPages pages = new ErrorPages(
                Map.of("no-bots", ErrorPages.page("<b title='{detail}'>{status} {code}</b>{request-id}")));
        assertThat(pages.html(exchange, refused("<script>alert(\"&'\")")))
                .isEqualTo("<b title='&lt;script&gt;alert(&quot;&amp;&#39;&quot;)'>403 no-bots</b>");
    }

    @Test
    void theCodeCountsBeforeTheStatus() {
        ErrorPages both = new ErrorPages(Map.of("403", ErrorPages.page("status"), "no-bots", ErrorPages.page("code")));
        assertThat(both.html(exchange, refused(""))).isEqualTo("code");
        assertThat(new ErrorPages(Map.of("403", ErrorPages.page("status"))).html(exchange, refused("")))
                .isEqualTo("status");
        assertThat(new ErrorPages(Map.of("404", ErrorPages.page("status"))).html(exchange, refused("")))
                .isNull();
    }
}
