package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a scrape contains the meters of the stores that the settings enable. */
class BindersIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final String CLOSED = "resilience4j_circuitbreaker_state{name=\"%s\",state=\"closed\"} %s\n";

    private static String redis() {
        return "redis.uri=\"redis://" + REDIS.address() + "\"";
    }

    @Test
    void exportsMetersOfTheLedgerInRedis() {
        try (Site site = Site.requiringTokens(redis(), "privacy-pass.ledger={store: redis, deadline: 10s}")) {
            await().until(() -> site.healthy("ledger"));
            String token = site.token();
            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem(token)).isEqualTo(401);
            assertThat(site.redeem(token)).isEqualTo(401);
            // Lettuce measures a command shortly after it completes the command.
            await().untilAsserted(() -> assertThat(site.metrics())
                    .contains(CLOSED.formatted("ledger " + REDIS.address(), "1.0"))
                    .containsPattern("\nlettuce_command_completion_seconds_count\\{command=\"EVAL(SHA)?\",")
                    .containsPattern("\nlettuce_command_firstresponse_seconds_sum\\{command=\"EVAL(SHA)?\",")
                    .contains("\ncache_size{cache=\"spends-known\"} 1.0\n")
                    .containsPattern("\ncache_gets_total\\{cache=\"spends-known\",result=\"hit\"\\} [1-9]"));
        }
    }

    @Test
    void exportsMetersOfRoomsInRedis() {
        String limit = "rate-limits=[{name: site, rate: 1000/s, burst: 10, per: host, store: redis}]";
        try (Site site = Site.with(redis(), limit, "routes=[{upstream: app, token: off, rate-limit: site}]")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            await().untilAsserted(() -> assertThat(site.metrics())
                    .contains(CLOSED.formatted("rooms", "1.0"))
                    .contains("\nlettuce_command_"));
        }
    }

    @Test
    void eachConnectionToMemcachedHasABreaker() {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(
                        Site.ledger(memcached),
                        "transport.event-loops=2",
                        "privacy-pass.ledger.memcached.client=netty")) {
            await().until(() -> site.healthy("ledger"));
            assertThat(site.redeem(site.token())).isEqualTo(200);
            assertThat(site.metrics())
                    .contains(CLOSED.formatted("ledger " + memcached.address(), "2.0"))
                    .containsPattern("kind=\"successful\",name=\"ledger " + memcached.address() + "\"\\} 1\\.0");
        }
    }
}
