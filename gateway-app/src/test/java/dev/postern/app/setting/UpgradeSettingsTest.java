package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests upgrades of connections by routes. */
class UpgradeSettingsTest {

    private static final String UPGRADE = Site.request("GET", "/", "Connection: upgrade", "Upgrade: %s");

    private static String route(String keys) {
        return "routes=[{upstream: app, token: off, " + keys + "}]";
    }

    @Test
    void upgradesToAllowedProtocolsOnly() {
        assertThat(upgraded(route("timeout: 0"), "websocket")).isEqualTo(101);
        assertThat(upgraded(route("timeout: 0"), "echo/1")).isEqualTo(502);
        assertThat(upgraded(route("upgrade: {protocols: [echo/1]}"), "echo/1")).isEqualTo(101);
        assertThat(upgraded(route("upgrade: {protocols: []}"), "websocket")).isEqualTo(502);
    }

    /** Returns the status of an upgrade; the origin agrees even to protocols that it did not receive. */
    private static int upgraded(String route, String protocol) {
        try (MemorySite site = MemorySite.with(route);
                RawClient client = site.client()) {
            agree(site, protocol);
            return client.send(UPGRADE.formatted(protocol)).read().status();
        }
    }

    private static void agree(MemorySite site, String protocol) {
        site.origin.behave(TestOrigin.Behaviour.raw(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: " + protocol + "\r\n\r\n"));
    }

    @Test
    void upgradedConnectionsEndAfterIdleTimeAndLifetime() {
        for (String end : new String[] {"idle: 100ms", "max-lifetime: 100ms"}) {
            try (MemorySite site = MemorySite.with(route("upgrade: {" + end + "}"));
                    RawClient client = site.client()) {
                agree(site, "websocket");
                assertThat(client.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
                site.pass(Duration.ofMillis(99));
                assertThat(client.patience(Duration.ZERO).closedByPeer())
                        .as(end)
                        .isFalse();
                site.pass(Duration.ofMillis(1));
                assertThat(client.closedByPeer()).as(end).isTrue();
            }
        }
    }

    @Test
    void upgradesOfAClientAreLimited() {
        try (MemorySite site = MemorySite.with(route("upgrade: {per-client: 1}"))) {
            agree(site, "websocket");
            try (RawClient one = site.client();
                    RawClient two = site.client()) {
                assertThat(one.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
                RawClient.Response refused =
                        two.send(UPGRADE.formatted("websocket")).read();
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.body()).contains("\"code\":\"tunnels-full\"");
            }
            try (RawClient next = site.client()) {
                assertThat(next.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
            }
        }
    }

    @Test
    void upgradedConnectionsAreCountedAsTunnels() {
        try (MemorySite site = MemorySite.with();
                RawClient client = site.client()) {
            agree(site, "websocket");
            client.send(UPGRADE.formatted("websocket")).read();
            assertThat(site.metrics()).contains("postern_tunnels{kind=\"upgrade\"} 1.0");
            client.reset();
            assertThat(site.metrics()).contains("postern_tunnels{kind=\"upgrade\"} 0.0");
        }
    }
}
