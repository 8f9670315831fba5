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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every spend check is measured, those most of all that nobody answered. */
class SpendMetersIT {

    private static final int EXCHANGES = 120;

    @ParameterizedTest
    @ValueSource(strings = {"spymemcached", "netty"})
    void nothingIsMissingWhileTheLedgerStandsStill(String client) {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.asking(Site.ledger(memcached), "privacy-pass.ledger.memcached.client=" + client)) {
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
                    .as("whom they waited for")
                    .isGreaterThan(
                            part(site, "sum", "queue") + part(site, "sum", "write") + part(site, "sum", "return"));
            memcached.thaw();
        }
    }

    /** Of three visitors one waits for the response, one says that nothing more will come from it, and one just goes. */
    private static void spendAll(Site site, List<String> tokens) {
        List<RawClient> visitors = new ArrayList<>();
        try {
            for (int i = 0; i < tokens.size(); i++) {
                RawClient visitor = site.client();
                visitors.add(visitor);
                visitor.send(Site.request("GET", "/", "Authorization: " + tokens.get(i)));
                if (i % 3 == 1) {
                    visitor.finish();
                } else if (i % 3 == 2) {
                    visitor.close();
                }
            }
            for (int i = 0; i < visitors.size(); i += 3) {
                assertThat(visitors.get(i).read().status()).isEqualTo(503);
            }
        } finally {
            visitors.forEach(RawClient::close);
        }
    }

    @Test
    void aCheckOfMemcachedHasFourParts() {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.asking(Site.ledger(memcached))) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(List.of("queue", "write", "store", "return"))
                    .allSatisfy(part -> assertThat(part(site, "count", part)).isEqualTo(1));
            assertThat(measured(site, "sum", "part")).isCloseTo(measured(site, "sum", "result"), within(1e-9));
        }
    }

    @Test
    void aCheckByTheLoopItselfHasNoWayBack() {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.asking(Site.ledger(memcached), "privacy-pass.ledger.memcached.client=netty")) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(List.of("queue", "write", "store"))
                    .allSatisfy(part -> assertThat(part(site, "count", part)).isEqualTo(1));
            assertThat(measured(site, "sum", "part")).isCloseTo(measured(site, "sum", "result"), within(1e-9));
        }
    }

    @Test
    void aCheckInMemoryIsTheStoresAlone() {
        try (Site site = Site.asking()) {
            assertThat(site.redeem(site.token())).isEqualTo(200);

            assertThat(part(site, "count", "store")).isEqualTo(1);
            assertThat(measured(site, "count", "part")).isEqualTo(1);
        }
    }

    private static double part(Site site, String figure, String part) {
        return series(site, "postern_spend_part_seconds_" + figure, line -> line.contains("part=\"" + part + "\""));
    }

    /** All of {@code postern.spend}, or of its parts. */
    private static double measured(Site site, String figure, String tag) {
        String name = tag.equals("part") ? "postern_spend_part_seconds_" : "postern_spend_seconds_";
        return series(site, name + figure, line -> true);
    }

    private static double series(Site site, String name, Predicate<String> which) {
        return site.metrics()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .filter(which)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
