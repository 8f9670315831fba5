package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests routes with several upstreams, by weight. 203.0.113.0 to .99 are clients of both. */
class CanarySettingsTest {

    private static final List<String> UPSTREAMS = List.of("upstreams=[{name: app, endpoints: [\"127.0.0.1:1000\"]},"
            + " {name: canary, endpoints: [\"127.0.0.1:1001\"]}]");
    private static final String WEIGHTS =
            "routes=[{token: off, upstreams: [{name: app, weight: %s}, {name: canary, weight: %s}]}]";
    private static final String STICKY = WEIGHTS.replace("token: off", "token: off, sticky-cookie: release");

    private static RawClient.Response get(MemorySite site, int client, String... fields) {
        try (RawClient connection = site.connect("203.0.113." + client)) {
            return connection.send(Site.request("GET", "/", fields)).read();
        }
    }

    /** Returns whether a request of the client gets to the canary. */
    private static boolean toCanary(MemorySite site, int client, String... fields) {
        int before = site.other.received().size();
        assertThat(get(site, client, fields).status()).isEqualTo(200);
        return site.other.received().size() > before;
    }

    private static List<Integer> canaries(MemorySite site, String... fields) {
        List<Integer> canaries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            if (toCanary(site, i, fields)) {
                canaries.add(i);
            }
        }
        return canaries;
    }

    private static String cookie(RawClient.Response response) {
        return "Cookie: " + response.field("Set-Cookie").split(";", 2)[0];
    }

    /** Each client keeps its upstream. */
    @Test
    void clientsAreSplitBetweenUpstreams() {
        try (MemorySite site = MemorySite.with(UPSTREAMS, WEIGHTS.formatted("80", "20"))) {
            List<Integer> canaries = canaries(site);
            assertThat(canaries).hasSizeBetween(10, 30).isEqualTo(canaries(site));
            assertThat(get(site, canaries.get(0)).field("Set-Cookie")).isEmpty();
            site.apply(UPSTREAMS.get(0), WEIGHTS.formatted("50", "50"));
            assertThat(canaries(site)).hasSizeBetween(35, 65).containsAll(canaries);
            site.apply(UPSTREAMS.get(0), WEIGHTS.formatted("1", "0"));
            assertThat(canaries(site)).isEmpty();
        }
    }

    @Test
    void aCookieKeepsTheUpstreamOfAClientWhoseAddressChanges() {
        try (MemorySite site = MemorySite.with(UPSTREAMS, STICKY.formatted("50", "50"))) {
            List<Integer> canaries = canaries(site);
            RawClient.Response first = get(site, canaries.get(0));
            assertThat(first.field("Set-Cookie")).matches("release=[0-9a-f]{4}; Path=/; HttpOnly; SameSite=Lax");
            assertThat(first.field("Cache-Control")).isEqualTo("no-store");
            assertThat(canaries(site, cookie(first))).as("from each address").hasSize(100);
            RawClient.Response later = get(site, 1, cookie(first));
            assertThat(later.field("Set-Cookie")).isEmpty();
            assertThat(later.field("Cache-Control")).isEmpty();

            site.apply(UPSTREAMS.get(0), STICKY.formatted("1", "0"));
            assertThat(canaries(site, cookie(first))).as("the weight is 0").isEmpty();
            site.apply(UPSTREAMS.get(0), STICKY.formatted("0", "1"));
            assertThat(canaries(site, cookie(first))).hasSize(100);
        }
    }

    @Test
    void aCookieWithoutAPointCountsForNothing() {
        try (MemorySite site = MemorySite.with(UPSTREAMS, STICKY.formatted("50", "50"))) {
            List<Integer> byAddress = canaries(site);
            for (String value : List.of("", "00000", "+001", "canary", "f0zz")) {
                String cookie = "Cookie: release=" + value;
                assertThat(canaries(site, cookie)).as(value).isEqualTo(byAddress);
                assertThat(get(site, 1, cookie).field("Set-Cookie")).startsWith("release=");
            }
            assertThat(canaries(site, "Cookie: release=; release=0000")).isEmpty();
            assertThat(canaries(site, "Cookie: release=FFFF")).hasSize(100);
        }
    }

    @Test
    void aClientWhoseUpstreamIsDownHasAnotherUntilItIsBack() {
        String failing =
                UPSTREAMS.get(0).replace("1001\"]", "1\"], health: {failures: 1, ejection: 10s}, retry: {budget: 0%}");
        try (MemorySite site = MemorySite.with(UPSTREAMS, STICKY.formatted("50", "50"))) {
            int client = canaries(site).get(0);
            String cookie = cookie(get(site, client));
            site.apply(failing, STICKY.formatted("50", "50"));
            assertThat(get(site, client, cookie).status())
                    .as("the first to notice")
                    .isEqualTo(502);
            assertThat(toCanary(site, client, cookie)).isFalse();
            assertThat(toCanary(site, client)).as("without a cookie").isFalse();
            site.pass(Duration.ofSeconds(10));
            assertThat(get(site, client, cookie).status()).as("tried again").isEqualTo(502);
            site.apply(UPSTREAMS.get(0), STICKY.formatted("50", "50"));
            assertThat(toCanary(site, client, cookie)).isTrue();
        }
    }
}
