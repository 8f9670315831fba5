package dev.postern.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalCodesTest {

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyCodeIsExplained(Refusal refusal) throws IOException {
        try (InputStream page = LivePage.RefusalCodes.class.getResourceAsStream("refusals.md")) {
            assertThat(page).isNotNull();
            assertThat(LivePage.RefusalCodes.html(new String(page.readAllBytes(), UTF_8)))
                    .containsOnlyOnce("<dt id=\"code-" + refusal.code() + "\">");
        }
    }

    @Test
    void convertsMarkupAndLinksToText() {
        assertThat(LivePage.RefusalCodes.html(
                        "| `a-code` | 503 | store | `x` < 1 & [more](failures.md#there) | Wait. |"))
                .isEqualTo(
                        "<dt id=\"code-a-code\"><code>a-code</code></dt><dd><code>x</code> &lt; 1 &amp; more <em>Wait."
                                + "</em></dd>\n");
    }
}
