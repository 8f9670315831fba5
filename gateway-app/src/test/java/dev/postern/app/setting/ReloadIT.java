package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests reloads during exchanges, of destinations and addresses, and that a refused reload changes nothing. */
class ReloadIT {

    // ---- upstreams

    @Test
    void requestsGoToTheNewServersOverTheSameConnection() {
        try (Site site = Site.with();
                TestOrigin other = new TestOrigin();
                RawClient client = site.client()) {
            other.behave(Behaviour.ok("other"));
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(site.apply("upstreams.app.endpoints=[\"" + other.address() + "\"]"))
                    .containsExactly("upstreams.app.endpoints");
            assertThat(client.get("/").body()).isEqualTo("other");
            assertThat(site.origin.received()).hasSize(1);
            // Counters continue, and the connections are those of the new server.
            assertThat(site.meter("postern_upstream_requests_total{upstream=\"app\"}"))
                    .isEqualTo(2);
            assertThat(site.meter("postern_upstream_connections{state=\"open\",upstream=\"app\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void unusedConnectionsToRemovedServersAreClosed() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        try (Site site = Site.with()) {
            site.origin.behave((request, socket) -> {
                Behaviour.ok("once").response(request, socket);
                if (socket.getInputStream().read() < 0) {
                    closed.countDown();
                }
            });
            assertThat(site.get("/").body()).isEqualTo("once");
            assertThat(closed.getCount()).isEqualTo(1);
            site.apply("upstreams.app.endpoints=[\"127.0.0.1:1\"]");
            assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(site.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void anActiveExchangeKeepsItsServer() {
        try (Site site = Site.with();
                RawClient client = site.client()) {
            CountDownLatch received = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            site.origin.behave((request, socket) -> {
                received.countDown();
                await(release);
                Behaviour.ok("slow").response(request, socket);
            });
            client.send(Site.request("GET", "/"));
            await(received);
            site.apply("upstreams.app.endpoints=[\"127.0.0.1:1\"]", "routes=[{path: /x, upstream: app, token: off}]");
            release.countDown();
            assertThat(client.read().body()).isEqualTo("slow");
            assertThat(client.get("/").status()).isEqualTo(404);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- routes, limits

    // ---- log, forward policies

    @Test
    void forwardPoliciesChange() {
        try (TestOrigin origin = new TestOrigin()) {
            String[] settings = {
                "listeners.1={name: out, address: \"127.0.0.1:0\", mode: forward, forward: default, congestion-control: reno}",
                "forward.default={token: off, allow-ports: [" + origin.port() + "], allow-private: [127.0.0.0/8]}"
            };
            String request = "GET http://" + origin.address() + "/ HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n";
            try (Site site = Site.with(settings);
                    RawClient client = site.client("out")) {
                assertThat(client.send(request).read().status()).isEqualTo(200);
                assertThat(site.apply(settings[0], settings[1].replace("127.0.0.0/8", "127.0.0.9/32")))
                        .containsExactly("forward.default.allow-private");
                assertThat(client.send(request).read().status()).isEqualTo(403);
                site.apply(settings);
                assertThat(client.send(request).read().status()).isEqualTo(200);
            }
        }
    }

    // ---- refused reloads

    @Test
    void refusedReloadsChangeNothing() {
        try (Site site = Site.with();
                TestOrigin other = new TestOrigin();
                RawClient client = site.client()) {
            other.behave(Behaviour.ok("other"));
            String endpoint = "upstreams.app.endpoints=[\"" + other.address() + "\"]";
            Reloaded reloaded = site.reload(endpoint, "limits.pipeline-depth=lots", "routes.0.upstream=unknown");
            assertThat(reloaded.result()).isEqualTo(Result.INVALID);
            assertThat(reloaded.problems())
                    .hasSize(2)
                    .anyMatch(p -> p.contains("limits.pipeline-depth: ") && p.contains("(expected: "))
                    .anyMatch(p -> p.contains("routes.0.upstream: "));
            assertThat(client.get("/").body()).isEqualTo("hello");
            int usedPort = site.origin.port();
            int freePort = ServerProcess.freePort();
            reloaded = site.reload(
                    endpoint,
                    "listeners.1={name: free, address: \"127.0.0.1:" + freePort + "\"}",
                    "listeners.2={name: taken, address: \"127.0.0.1:" + usedPort + "\"}");
            assertThat(reloaded.result()).isEqualTo(Result.REFUSED);
            assertThat(reloaded.problems().toString()).contains("taken: address: ", ": in use (expected: ");
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThatThrownBy(() -> new RawClient(freePort)).as("closed again").hasMessageContaining("cannot connect");
            assertThat(site.gateway().listener("web").getPort()).isEqualTo(site.port());
            assertThat(site.meter("postern_config_reload_total{result=\"invalid\"}"))
                    .isEqualTo(1);
            assertThat(site.meter("postern_config_reload_total{result=\"refused\"}"))
                    .isEqualTo(1);
            assertThat(site.meter("postern_config_reload_total{result=\"ok\"}")).isZero();
            site.apply(endpoint);
            assertThat(client.get("/").body()).isEqualTo("other");
            assertThat(site.meter("postern_config_reload_total{result=\"ok\"}")).isEqualTo(1);
        }
    }

    @Test
    void namesEveryKeyThatNeedsARestart() {
        try (Site site = Site.with();
                RawClient client = site.client()) {
            Reloaded reloaded = site.reload(
                    "privacy-pass.ledger.deadline=70ms",
                    "instance.namespace=other",
                    "transport.tcp-no-delay=false",
                    "limits.pipeline-depth=3",
                    "routes.0.path=/x");
            assertThat(reloaded.result()).isEqualTo(Result.REFUSED);
            assertThat(reloaded.problems())
                    .containsExactly(
                            "--set instance.namespace: instance.namespace: changed (expected: a restart)",
                            "--set transport.tcp-no-delay: transport.tcp-no-delay: changed (expected: a restart)",
                            "--set privacy-pass.ledger.deadline: privacy-pass.ledger.deadline: changed (expected: a restart)");
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    // ---- POST /reload
}
