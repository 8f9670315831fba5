package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.Door.Seen;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Twenty browsers open a page of one document and twenty assets at once, at 10 requests a second and 5 sessions. */
class WholePagesTest {

    private static final int BROWSERS = 20;
    private static final int ASSETS = 20;

    @Test
    void everyPageIsWholeWithFairQueue() {
        RateLimitRule rule = Door.roomLimit("site", 5, null);
        RateLimitRule tenPerSecond =
                new RateLimitRule("site", Rate.of("10/s"), 0, RateKey.HOST, false, rule.settings());
        assertThat(wholePages(tenPerSecond, Duration.ofMinutes(10))).isEqualTo(BROWSERS);
    }

    @Test
    void hardlyAnyPageIsWholeWithPlainLimit() {
        RateLimitRule plain = new RateLimitRule("site", Rate.of("10/s"), 0, RateKey.HOST, false, null);
        assertThat(wholePages(plain, Duration.ZERO)).isLessThanOrEqualTo(2);
    }

    /** Browsers that are told to wait ask again every two seconds, as their page does; what else is refused stays missing. */
    private static int wholePages(RateLimitRule rule, Duration patience) {
        try (Door door = new Door(KeyRing.random(), rule)) {
            List<Browser> browsers = new ArrayList<>();
            for (int i = 0; i < BROWSERS; i++) {
                browsers.add(new Browser());
            }
            for (long waited = 0; waited <= patience.toSeconds(); waited += 2) {
                browsers.forEach(browser -> browser.open(door));
                browsers.forEach(browser -> browser.fetch(door));
                for (int i = 0; i < 8; i++) {
                    door.advance(Duration.ofMillis(250));
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

        void open(Door door) {
            if (!opened) {
                Seen page = door.get("/")
                        .with("sec-fetch-mode", "navigate")
                        .cookie(cookie)
                        .send();
                opened = page.passed();
                cookie = page.cookie().isEmpty() ? cookie : page.cookie();
                page.exchange().end();
            }
        }

        void fetch(Door door) {
            if (!opened || fetched) {
                return;
            }
            fetched = true;
            for (int i = 0; i < ASSETS; i++) {
                Seen part = door.get("/" + i + ".css")
                        .with("sec-fetch-mode", "no-cors")
                        .cookie(cookie)
                        .send();
                parts += part.passed() ? 1 : 0;
                part.exchange().end();
            }
        }
    }
}
