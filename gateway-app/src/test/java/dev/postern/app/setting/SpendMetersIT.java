package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that every spend check is measured, also while the ledger does not respond. */
class SpendMetersIT {

    private static final int EXCHANGES = 120;

    @Test
    void measuresEveryCheckOfAFrozenLedger() {
        measuresEveryCheck("spymemcached");
    }

    @Test
    @Tag("long")
    void measuresEveryCheckOfAFrozenLedgerOnTheEventLoop() {
        measuresEveryCheck("netty");
    }

    private static void measuresEveryCheck(String client) {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(
                        Site.ledger(memcached), "privacy-pass.ledger.memcached.client=" + client)) {
            String challenge = site.challenge();
            List<String> tokens = Stream.generate(() -> Site.MINT.response(challenge))
                    .limit(EXCHANGES)
                    .toList();
            memcached.freeze();
            spendAll(site, tokens);

            await().until(() -> measured(site, "count", "result") == EXCHANGES);
            assertThat(series(site, "postern_spend_seconds_count", line -> line.contains("unknown")))
                    .isEqualTo(EXCHANGES);
            assertThat(part(site, "count", "store")).isEqualTo(EXCHANGES);
            assertThat(measured(site, "sum", "part")).isCloseTo(measured(site, "sum", "result"), within(1e-6));
            assertThat(part(site, "sum", "store"))
                    .as("the store takes longest")
                    .isGreaterThan(
                            part(site, "sum", "queue") + part(site, "sum", "write") + part(site, "sum", "return"));
            memcached.thaw();
        }
    }

    /** Of three clients, one waits for the response, one closes its output, and one disconnects. */
    private static void spendAll(Site site, List<String> tokens) {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < tokens.size(); i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send(Site.request("GET", "/", "Authorization: " + tokens.get(i)));
                if (i % 3 == 1) {
                    client.finish();
                } else if (i % 3 == 2) {
                    client.close();
                }
            }
            for (int i = 0; i < clients.size(); i += 3) {
                assertThat(clients.get(i).read().status()).isEqualTo(503);
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void aCheckOfMemcachedHasFourParts() {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(Site.ledger(memcached))) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(List.of("queue", "write", "store", "return"))
                    .allSatisfy(part -> assertThat(part(site, "count", part)).isEqualTo(1));
            assertThat(measured(site, "sum", "part")).isCloseTo(measured(site, "sum", "result"), within(1e-9));
        }
    }

    @Test
    void aCheckOnTheEventLoopHasNoReturn() {
        try (ServerProcess memcached = Site.memcached();
                Site site =
                        Site.requiringTokens(Site.ledger(memcached), "privacy-pass.ledger.memcached.client=netty")) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(List.of("queue", "write", "store"))
                    .allSatisfy(part -> assertThat(part(site, "count", part)).isEqualTo(1));
            assertThat(measured(site, "sum", "part")).isCloseTo(measured(site, "sum", "result"), within(1e-9));
        }
    }

    @Test
    void aCheckInMemoryHasOnlyTheStore() {
        try (Site site = Site.requiringTokens()) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(part(site, "count", "store")).isEqualTo(1);
            assertThat(measured(site, "count", "part")).isEqualTo(1);
        }
    }

    private static double part(Site site, String figure, String part) {
        return series(site, "postern_spend_part_seconds_" + figure, line -> line.contains("part=\"" + part + "\""));
    }

    /** Returns the sum over {@code postern.spend}, or over its parts. */
    private static double measured(Site site, String figure, String tag) {
        String name = tag.equals("part") ? "postern_spend_part_seconds_" : "postern_spend_seconds_";
        return series(site, name + figure, line -> true);
    }

    private static double series(Site site, String name, Predicate<String> matches) {
        return site.metrics()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .filter(matches)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
