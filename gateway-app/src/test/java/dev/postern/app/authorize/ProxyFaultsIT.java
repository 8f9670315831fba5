package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that each proxy fails closed while the gateway does not decide. */
@ExtendWith(LeakExtension.class)
class ProxyFaultsIT {

    /** Traefik waits for 30 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void isClosedWhileTheGatewayIsStopped(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            String token = site.token();
            assertThat(site.get("/open").status()).isEqualTo(200);
            assertThat(site.origin.received()).hasSize(1);
            site.gateway.stop();
            for (String path : new String[] {"/", "/open"}) {
                assertThat(site.get(path, token).status()).as(path).isEqualTo(kind.stopped());
            }
            assertThat(site.get("/.postern/room/site").status()).isBetween(500, 504);
            assertThat(site.origin.received()).hasSize(1);

            site.gateway.start();
            Awaitility.await().until(() -> site.get("/open").status() == 200);
            assertThat(site.get("/", site.token()).status()).isEqualTo(200);
        }
    }

    /** A shedding gateway refuses, which is an answer. */
    @ParameterizedTest
    @EnumSource
    void relaysThatTheGatewaySheds(ProxyKind kind) throws IOException {
        String always = "overload.heap={shed-above: 0.001%, resume-below: 0.0001%}";
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS, always)) {
            System.gc(); // shedding looks at what a collection leaves
            Awaitility.await().untilAsserted(() -> {
                RawClient.Response response = site.get("/open");
                assertThat(response.status()).isEqualTo(kind.refused(503));
                assertThat(response.body()).contains("\"overloaded\"");
                assertThat(response.field("Retry-After")).isNotEmpty();
            });
        }
    }

    /** A frozen gateway still has connections accepted, by its kernel. */
    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void isClosedWhileTheGatewayIsFrozen(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            String token = site.token();
            site.gateway.stop();
            try (ServerSocket frozen = new ServerSocket(site.ports.gateway(), 50, InetAddress.getLoopbackAddress());
                    RawClient client = site.client().patience(PATIENCE)) {
                int status =
                        client.send(AskedSite.request("GET", "/", token)).read().status();
                assertThat(status).isEqualTo(kind.frozen());
                frozen.accept().close(); // the question
            }
            assertThat(site.origin.received()).isEmpty();
        }
    }

    /** The gateway serves until its {@code drain-delay} has passed. */
    @ParameterizedTest
    @EnumSource
    void isServedWhileTheGatewayDrains(ProxyKind kind) throws IOException, InterruptedException {
        try (AskedSite site =
                AskedSite.behind(kind, folder, AskedSite.TOKENS, "lifecycle={drain-delay: 5s, drain-timeout: 1s}")) {
            assertThat(site.get("/open").status()).isEqualTo(200);
            Thread drain = new Thread(() -> {
                try {
                    site.gateway.drain();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            drain.start();
            Awaitility.await().until(() -> site.gateway.admin("/readyz").status() == 503);
            assertThat(site.get("/open").status()).isEqualTo(200);
            assertThat(site.get("/").status()).isEqualTo(401);
            drain.interrupt();
            drain.join();
        }
    }
}
