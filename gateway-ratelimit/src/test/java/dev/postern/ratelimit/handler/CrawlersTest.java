package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.dns.AddressOwnerLookup.Response;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the verification of crawlers at a full room. */
class CrawlersTest {

    private static final String AGENT = "Mozilla/5.0 (compatible; searchbot/2.1; +http://search.example/bot.html)";

    private final AdmissionFixture stage =
            new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 1));

    @BeforeEach
    void fill() {
        stage.get("/").from("198.51.100.1").send();
        stage.get("/").from("198.51.100.2").send();
        stage.get("/").from("198.51.100.3").send();
        stage.channel.releaseInbound();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private AdmissionResult crawl(String address) {
        return stage.get("/page").from(address).with("user-agent", AGENT).send();
    }

    private void complete(int lookup, Response response) {
        stage.lookups.get(lookup).listener().accept(response);
    }

    @Test
    void passWithoutWaitingWhenTheirNameIsVerified() {
        AdmissionResult first = crawl("203.0.113.9");
        assertThat(first.passed()).isFalse();
        assertThat(first.status()).isZero();
        assertThat(stage.lookups.get(0).address().getHostAddress()).isEqualTo("203.0.113.9");
        assertThat(stage.lookups.get(0).domains()).containsExactly("search.example");
        complete(0, Response.YES);
        assertThat(first.passed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Response.class,
            names = {"NO", "UNKNOWN"})
    void queueLikeOtherClientsWhenItIsNot(Response response) {
        AdmissionResult seen = crawl("203.0.113.9");
        complete(0, response);
        assertThat(seen.passed()).isFalse();
        assertThat(seen.status()).isEqualTo(503);
    }

    @Test
    void otherClientsAreNotLookedUp() {
        assertThat(stage.get("/").with("user-agent", "Mozilla/5.0").send().status())
                .isEqualTo(503);
        assertThat(stage.get("/").send().status()).isEqualTo(503);
        assertThat(stage.lookups).isEmpty();
    }

    @Test
    void concurrentRequestsShareALookup() {
        AdmissionResult one = crawl("203.0.113.9");
        AdmissionResult two = crawl("203.0.113.9");
        AdmissionResult other = crawl("203.0.113.10");
        assertThat(stage.lookups).hasSize(2);
        complete(0, Response.YES);
        assertThat(two.status()).isZero();
        assertThat(stage.channel.inboundMessages()).containsExactly(one.exchange(), two.exchange());
        stage.channel.releaseInbound();
        complete(1, Response.NO);
        assertThat(other.status()).isEqualTo(503);
    }

    @ParameterizedTest
    @EnumSource
    void lookupResultsAreCached(Response response) {
        crawl("203.0.113.9");
        complete(0, response);
        Duration kept = Duration.ofNanos(CrawlerCache.timeToLive(response) * 1000);
        stage.pause(kept.minusMillis(1));
        crawl("203.0.113.9");
        assertThat(stage.lookups).hasSize(1);
        stage.pause(Duration.ofMillis(1));
        crawl("203.0.113.9");
        assertThat(stage.lookups).hasSize(2);
    }

    @Test
    void boundsTheLookupsOfManyFalseCrawlers() {
        for (int i = 0; i < CrawlerCache.MAX_SEARCHES; i++) {
            crawl("203.0." + i + ".9");
        }
        AdmissionResult beyond = crawl("192.0.3.1");
        assertThat(stage.lookups).hasSize(CrawlerCache.MAX_SEARCHES);
        assertThat(beyond.status()).isEqualTo(503);
        complete(0, Response.NO);
        crawl("192.0.3.1");
        assertThat(stage.lookups).hasSize(CrawlerCache.MAX_SEARCHES + 1);
    }

    @Test
    void manyFalseCrawlersDoNotEvictAnActiveOne() {
        crawl("203.0.113.9");
        complete(0, Response.YES);
        for (int i = 0; i < 2 * CrawlerCache.MAX; i++) {
            crawl("10.1." + i / 250 + "." + i % 250);
            complete(stage.lookups.size() - 1, Response.NO);
            if (i % 1000 == 0) {
                crawl("203.0.113.9");
            }
        }
        int earlierLookups = stage.lookups.size();
        stage.channel.releaseInbound();
        assertThat(crawl("203.0.113.9").passed()).isTrue();
        assertThat(stage.lookups).hasSize(earlierLookups);
        crawl("10.1.0.0");
        assertThat(stage.lookups).hasSize(earlierLookups + 1);
    }

    @Test
    void ignoresTheResultForAClientThatDisconnected() {
        AdmissionResult seen = crawl("203.0.113.9");
        seen.exchange().end();
        complete(0, Response.YES);
        assertThat(seen.passed()).isFalse();
    }
}
