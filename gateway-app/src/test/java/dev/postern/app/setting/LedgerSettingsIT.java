package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the keys below {@code privacy-pass.ledger} that are about memcached. */
class LedgerSettingsIT {

    @Test
    void unknownIsRefusedUnlessAccepted() {
        String unreachable =
                "privacy-pass.ledger={store: memcached, deadline: 20ms, when-unknown: %s, memcached: {servers: [\"127.0.0.1:1\"]}}";
        try (Site site = Site.requiringTokens(unreachable.formatted("refuse"))) {
            assertThat(site.redeem(site.token())).isEqualTo(503);
        }
        try (Site site = Site.requiringTokens(unreachable.formatted("accept"))) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
        }
    }

    @Test
    void deadlineEndsTheWaitForTheLedger() {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(Site.ledger(memcached));
                RawClient client = site.client()) {
            String token = site.token();
            memcached.freeze();
            client.send(Site.request("GET", "/", "Authorization: " + token));
            memcached.thaw();
            assertThat(client.read().status()).isEqualTo(200);
        }
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.requiringTokens(Site.ledger(memcached), "privacy-pass.ledger.deadline=300ms")) {
            String token = site.token();
            memcached.freeze();
            assertThat(site.redeem(token)).isEqualTo(503);
            memcached.thaw();
        }
    }

    @Test
    void forgettingIsHandledAsConfigured() {
        assertThat(statusOfTokenIssuedBeforeTheStoreForgot("roll")).isEqualTo(401);
        assertThat(statusOfTokenIssuedBeforeTheStoreForgot("refuse")).isEqualTo(503);
        assertThat(statusOfTokenIssuedBeforeTheStoreForgot("accept")).isEqualTo(200);
    }

    private static int statusOfTokenIssuedBeforeTheStoreForgot(String setting) {
        try (ServerProcess memcached = Site.memcached();
                Site site =
                        Site.requiringTokens(Site.ledger(memcached), "privacy-pass.ledger.when-forgotten=" + setting)) {
            String spent = site.token();
            String unspent = site.token();
            assertThat(site.redeem(spent)).isEqualTo(200);
            memcached.kill();
            await().until(() -> !site.healthy("ledger"));
            memcached.start();
            await().until(() -> site.healthy("ledger"));
            return site.redeem(unspent);
        }
    }

    @Test
    void memcachedHasTheConfiguredConnections() {
        try (ServerProcess memcached = Site.memcached();
                Site one = Site.requiringTokens(Site.ledger(memcached));
                Site three =
                        Site.requiringTokens(Site.ledger(memcached), "privacy-pass.ledger.memcached.connections=3")) {
            assertThat(one.redeem(one.token())).isEqualTo(200);
            assertThat(three.redeem(three.token())).isEqualTo(200);
            awaitConnections(memcached, 1 + 3);
        }
    }

    @Test
    void memcachedHasTheConfiguredClient() {
        try (ServerProcess memcached = Site.memcached();
                Site library = Site.requiringTokens(
                        Site.ledger(memcached), "transport.event-loops=2", "instance.namespace=library");
                Site loops = Site.requiringTokens(
                        Site.ledger(memcached),
                        "transport.event-loops=2",
                        "instance.namespace=loops",
                        "privacy-pass.ledger.memcached.client=netty")) {
            String token = loops.token();
            assertThat(loops.redeem(token)).isEqualTo(200);
            assertThat(loops.redeem(token)).isEqualTo(401);
            assertThat(library.redeem(library.token())).isEqualTo(200);
            awaitConnections(memcached, 1 + 2);
        }
    }

    @Test
    void spendsHaveTheConfiguredCopies() {
        for (int copies = 1; copies <= 2; copies++) {
            try (ServerProcess first = Site.memcached();
                    ServerProcess second = Site.memcached();
                    Site site = Site.requiringTokens(
                            "privacy-pass.ledger={store: memcached, deadline: 10s, memcached: {servers: [\""
                                    + first.address() + "\", \"" + second.address() + "\"], copies: " + copies
                                    + "}}")) {
                // Each server stores its own mark and a list of all marks.
                int markers = 4;
                await().until(() -> items(first) + items(second) == markers);
                assertThat(site.redeem(site.token())).isEqualTo(200);
                assertThat(items(first) + items(second)).isEqualTo(markers + copies);
            }
        }
    }

    @Test
    void serversBehindARouterAreWatched() {
        try (ServerProcess router = Site.memcached();
                ServerProcess server = Site.memcached();
                Site site = Site.requiringTokens(
                        "privacy-pass.ledger={store: memcached, deadline: 10s, memcached: {servers: [\""
                                + router.address() + "\"], stats-servers: [\"" + server.address() + "\"]}}")) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
            String token = site.token();
            server.kill();
            await().until(() -> site.admin("/readyz").body().contains("not connected"));
            assertThat(site.redeem(token)).isEqualTo(503);
        }
    }

    /** Waits until memcached has this number of connections from gateways; the test has one more. */
    private static void awaitConnections(ServerProcess memcached, int count) {
        await().untilAsserted(() -> {
            try (RawClient stats = new RawClient(memcached.port())) {
                String text = stats.send("stats\r\nquit\r\n").readBytes(4096);
                assertThat(text).containsPattern("curr_connections " + (count + 1) + "\r");
            }
        });
    }

    private static int items(ServerProcess memcached) {
        try (RawClient stats = new RawClient(memcached.port())) {
            Matcher items = Pattern.compile("curr_items (\\d+)")
                    .matcher(stats.send("stats\r\nquit\r\n").readBytes(8192));
            assertThat(items.find()).isTrue();
            return Integer.parseInt(items.group(1));
        }
    }
}
