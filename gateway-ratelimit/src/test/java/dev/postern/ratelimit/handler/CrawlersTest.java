package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.transport.AddressOwnerLookup.Response;
import dev.postern.ratelimit.handler.Door.Seen;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crawlers at the door of a full room. */
class CrawlersTest {

    private static final String AGENT = "Mozilla/5.0 (compatible; searchbot/2.1; +http://search.example/bot.html)";

    private final Door door = new Door(KeyRing.random(), Door.roomLimit("site", 1, null));

    @BeforeEach
    void fill() {
        door.get("/").from("198.51.100.1").send();
        door.get("/").from("198.51.100.2").send();
        door.get("/").from("198.51.100.3").send();
        door.channel.releaseInbound();
    }

    @AfterEach
    void close() {
        door.close();
    }

    private Seen crawl(String address) {
        return door.get("/page").from(address).with("user-agent", AGENT).send();
    }

    private void tell(int search, Response response) {
        door.searches.get(search).told().accept(response);
    }

    @Test
    void needNotWaitOnceTheirNameIsProven() {
        Seen first = crawl("203.0.113.9");
        assertThat(first.passed()).isFalse();
        assertThat(first.status()).isZero();
        assertThat(door.searches.get(0).address().getHostAddress()).isEqualTo("203.0.113.9");
        assertThat(door.searches.get(0).domains()).containsExactly("search.example");
        tell(0, Response.YES);
        assertThat(first.passed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Response.class,
            names = {"NO", "UNKNOWN"})
    void queueLikeAnybodyElseWhenItIsNot(Response response) {
        Seen seen = crawl("203.0.113.9");
        tell(0, response);
        assertThat(seen.passed()).isFalse();
        assertThat(seen.status()).isEqualTo(503);
    }

    @Test
    void othersAreNotLookedUp() {
        assertThat(door.get("/").with("user-agent", "Mozilla/5.0").send().status())
                .isEqualTo(503);
        assertThat(door.get("/").send().status()).isEqualTo(503);
        assertThat(door.searches).isEmpty();
    }

    @Test
    void requestsDuringASearchShareIt() {
        Seen one = crawl("203.0.113.9");
        Seen two = crawl("203.0.113.9");
        Seen other = crawl("203.0.113.10");
        assertThat(door.searches).hasSize(2);
        tell(0, Response.YES);
        assertThat(two.status()).isZero();
        assertThat(door.channel.inboundMessages()).containsExactly(one.exchange(), two.exchange());
        door.channel.releaseInbound();
        tell(1, Response.NO);
        assertThat(other.status()).isEqualTo(503);
    }

    @ParameterizedTest
    @EnumSource
    void responsesAreKeptForAWhile(Response response) {
        crawl("203.0.113.9");
        tell(0, response);
        Duration kept = Duration.ofNanos(CrawlerCache.kept(response) * 1000);
        door.clock.advance(kept.minusMillis(1));
        crawl("203.0.113.9");
        assertThat(door.searches).hasSize(1);
        door.clock.advance(Duration.ofMillis(1));
        crawl("203.0.113.9");
        assertThat(door.searches).hasSize(2);
    }

    @Test
    void aFloodOfFalseOnesIsBounded() {
        for (int i = 0; i < CrawlerCache.MAX_SEARCHES; i++) {
            crawl("203.0." + i + ".9");
        }
        Seen beyond = crawl("192.0.3.1");
        assertThat(door.searches).hasSize(CrawlerCache.MAX_SEARCHES);
        assertThat(beyond.status()).isEqualTo(503);
        tell(0, Response.NO);
        crawl("192.0.3.1");
        assertThat(door.searches).hasSize(CrawlerCache.MAX_SEARCHES + 1);
    }

    @Test
    void aFloodOfFalseOnesDoesNotPushOutWhoComesAgain() {
        crawl("203.0.113.9");
        tell(0, Response.YES);
        for (int i = 0; i < 2 * CrawlerCache.MAX; i++) {
            crawl("10.1." + i / 250 + "." + i % 250);
            tell(door.searches.size() - 1, Response.NO);
            if (i % 1000 == 0) {
                crawl("203.0.113.9");
            }
        }
        int before = door.searches.size();
        door.channel.releaseInbound();
        assertThat(crawl("203.0.113.9").passed()).isTrue();
        assertThat(door.searches).hasSize(before);
        crawl("10.1.0.0");
        assertThat(door.searches).hasSize(before + 1);
    }

    @Test
    void whoWentAwayMeanwhileIsForgotten() {
        Seen seen = crawl("203.0.113.9");
        seen.exchange().end();
        tell(0, Response.YES);
        assertThat(seen.passed()).isFalse();
    }
}
