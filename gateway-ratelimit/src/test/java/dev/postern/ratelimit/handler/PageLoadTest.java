package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests twenty browsers that open a page of one document and twenty assets at once, at 10 requests a second and 5 sessions. */
class PageLoadTest {

    private static final int BROWSERS = 20;
    private static final int ASSETS = 20;

    @Test
    void everyPageIsWholeWithFairQueue() {
        RateLimitRule rule = AdmissionFixture.roomLimit("site", 5);
        RateLimitRule tenPerSecond = new RateLimitRule(
                "site", Rate.of("10/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, rule.fairQueue());
        assertThat(wholePages(tenPerSecond, Duration.ofMinutes(10))).isEqualTo(BROWSERS);
    }

    @Test
    void hardlyAnyPageIsWholeWithPlainLimit() {
        RateLimitRule plain =
                new RateLimitRule("site", Rate.of("10/s"), 0, RateKey.HOST, RateLimitRule.Store.EMBEDDED, null);
        assertThat(wholePages(plain, Duration.ZERO)).isLessThanOrEqualTo(2);
    }

    /** Counts complete pages. Waiting browsers ask again every two seconds, as their page does; other refused requests stay missing. */
    private static int wholePages(RateLimitRule rule, Duration patience) {
        try (AdmissionFixture stage = new AdmissionFixture(KeyRing.random(), rule)) {
            List<Browser> browsers = new ArrayList<>();
            for (int i = 0; i < BROWSERS; i++) {
                browsers.add(new Browser());
            }
            for (long waited = 0; waited <= patience.toSeconds(); waited += 2) {
                browsers.forEach(browser -> browser.open(stage));
                browsers.forEach(browser -> browser.fetch(stage));
                for (int i = 0; i < 8; i++) {
                    stage.advance(Duration.ofMillis(250));
                }
            }
            return (int) browsers.stream().filter(b -> b.parts == ASSETS).count();
        }
    }

    private static final class Browser {

        private String cookie = "";
        private boolean opened;
        private boolean fetched;
        private int parts;

        void open(AdmissionFixture stage) {
            if (!opened) {
                AdmissionResult page = stage.get("/")
                        .with("sec-fetch-mode", "navigate")
                        .cookie(cookie)
                        .send();
                opened = page.passed();
                cookie = page.cookie().isEmpty() ? cookie : page.cookie();
                page.exchange().end();
            }
        }

        void fetch(AdmissionFixture stage) {
            if (!opened || fetched) {
                return;
            }
            fetched = true;
            for (int i = 0; i < ASSETS; i++) {
                AdmissionResult part = stage.get("/" + i + ".css")
                        .with("sec-fetch-mode", "no-cors")
                        .cookie(cookie)
                        .send();
                parts += part.passed() ? 1 : 0;
                part.exchange().end();
            }
        }
    }
}
