package dev.postern.load.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.crowd.Register.Pages;
import org.junit.jupiter.api.Test;

class PagesTest {
    private final Pages pages = new Pages(3);

    @Test
    void countsPagesThatWereServedCompletely() {
        served("a/1", "/1", "/1/1", "/1/2");
        served("a/2", "/2", "/2/1", "/2/2");
        assertThat(pages.whole()).isEqualTo(2);
        assertThat(pages.half()).isZero();
    }

    @Test
    void countsAPageWithAMissingPartAsHalf() {
        served("a/1", "/1");
        served("b/1", "/1", "/1/1", "/1/2");
        assertThat(pages.whole()).isEqualTo(1);
        assertThat(pages.half()).isEqualTo(1);
    }

    @Test
    void countsNothingTwice() {
        served("a/1", "/1", "/1/1", "/1/1");
        assertThat(pages.whole()).isZero();
        assertThat(pages.half()).isEqualTo(1);
    }

    private void served(String page, String... parts) {
        for (String part : parts) {
            pages.served(page, part);
        }
    }
}
