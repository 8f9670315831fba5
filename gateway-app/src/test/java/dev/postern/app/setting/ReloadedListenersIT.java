package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests listeners and their clients during a reload: connections stay open, and clients of changed listeners are asked to close them. */
class ReloadedListenersIT {

    @TempDir
    private Path folder;

    private static String listener(String name, int port, String more) {
        return "{name: " + name + ", address: \"127.0.0.1:" + port + "\", congestion-control: reno" + more + "}";
    }

    private static String listeners(String... all) {
        return "listeners=[" + String.join(", ", all) + "]";
    }

    private static RawClient.Response get(int port) {
        try (RawClient client = new RawClient(port)) {
            return client.get("/");
        }
    }

    @Test
    void listenersAreAddedRenamedAndRemoved() {
        int one = ServerProcess.freePort();
        int two = ServerProcess.freePort();
        try (Site site = Site.with(listeners(listener("web", one, "")));
                RawClient client = site.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            site.apply(listeners(listener("web", one, ""), listener("more", two, "")));
            assertThat(get(one).status()).isEqualTo(200);
            assertThat(get(two).status()).isEqualTo(200);
            assertThat(client.get("/").field("Connection")).as("unchanged").isEmpty();
            // The two listeners swap their addresses.
            site.apply(listeners(listener("web", two, ""), listener("more", one, "")));
            assertThat(site.port()).isEqualTo(two);
            assertThat(get(one).status()).isEqualTo(200);
            assertThat(get(two).status()).isEqualTo(200);
            RawClient.Response last = client.get("/");
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.field("Connection"))
                    .as("the listener of the address changed")
                    .isEqualTo("close");
            try (RawClient existing = new RawClient(one)) {
                assertThat(existing.get("/").status()).isEqualTo(200);
                site.apply(listeners(listener("web", two, "")));
                assertThatThrownBy(() -> get(one)).hasMessageContaining("cannot connect");
                RawClient.Response response = existing.get("/");
                assertThat(response.status()).as("an existing connection").isEqualTo(200);
                assertThat(response.field("Connection")).isEqualTo("close");
            }
            assertThat(get(two).status()).isEqualTo(200);
        }
    }

    @Test
    void aListenerMovesToAnotherAddress() {
        int one = ServerProcess.freePort();
        int two = ServerProcess.freePort();
        try (Site site = Site.with(listeners(listener("web", one, "")))) {
            assertThat(site.apply(listeners(listener("web", two, "")))).containsExactly("listeners.web.address");
            assertThat(get(two).status()).isEqualTo(200);
            assertThatThrownBy(() -> get(one)).hasMessageContaining("cannot connect");
        }
    }

    @Test
    void settingsOfTheSameAddressHoldForNewConnections() {
        try (Site site = Site.with()) {
            int port = site.port();
            String forwarded = "X-Forwarded-For: 192.0.2.9";
            try (RawClient client = site.client()) {
                client.send(Site.request("GET", "/", forwarded)).read();
                site.apply("listeners.web.trusted-proxies=[127.0.0.0/8]");
                assertThat(site.port()).isEqualTo(port);
                assertThat(client.send(Site.request("GET", "/", forwarded))
                                .read()
                                .field("Connection"))
                        .isEqualTo("close");
            }
            site.get("/", forwarded);
            assertThat(site.origin.received().stream().map(r -> r.field("X-Forwarded-For")))
                    .containsExactly("127.0.0.1", "127.0.0.1", "192.0.2.9, 127.0.0.1");
            try (RawClient existing = site.client()) {
                existing.get("/");
                site.apply("listeners.web.trusted-proxies=[127.0.0.0/8]", "limits.request-head=1KiB");
                String longField = "X-Long: " + "x".repeat(2000);
                assertThat(site.get("/", longField).status()).isEqualTo(431);
                RawClient.Response old =
                        existing.send(Site.request("GET", "/", longField)).read();
                assertThat(old.status()).isEqualTo(200);
                assertThat(old.field("Connection")).as("only bounds differ").isEmpty();
            }
        }
    }

    @Test
    void clientsOfAllEarlierSettingsGetConnectionClose() {
        try (Site site = Site.with();
                RawClient oldest = site.client()) {
            assertThat(oldest.get("/").status()).isEqualTo(200);
            site.apply("limits.pipeline-depth=7");
            assertThat(oldest.get("/").field("Connection")).isEmpty();
            site.apply("listeners.web.trusted-proxies=[127.0.0.9]");
            assertThat(oldest.get("/").field("Connection")).isEqualTo("close");
        }
    }

    /** Clients that send without a pause until they are told, while their listener is replaced and while it is removed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void busyClientsLoseNothing(boolean removed) throws Exception {
        int one = ServerProcess.freePort();
        int two = ServerProcess.freePort();
        ExecutorService others = Executors.newCachedThreadPool();
        try (Site site = Site.with(listeners(listener("web", one, ""), listener("more", two, "")))) {
            List<Future<String>> ends = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                ends.add(others.submit(() -> untilTold(two)));
            }
            Awaitility.await().until(() -> site.origin.received().size() > 200);
            String changed = listener("more", two, ", trusted-proxies: [127.0.0.9]");
            site.apply(removed ? listeners(listener("web", one, "")) : listeners(listener("web", one, ""), changed));
            for (Future<String> end : ends) {
                assertThat(end.get()).isEqualTo("told");
            }
        } finally {
            others.shutdownNow();
        }
    }

    private static String untilTold(int port) {
        try (RawClient client = new RawClient(port)) {
            RawClient.Response response = client.get("/");
            while (!response.field("Connection").equals("close")) {
                response = client.get("/");
            }
            return response.status() == 200 ? "told" : "status " + response.status();
        } catch (RuntimeException e) {
            return "lost: " + e.getMessage();
        }
    }

    @Test
    void connectionLimitsChange() {
        try (Site site = Site.with();
                RawClient first = site.client()) {
            assertThat(first.get("/").status()).isEqualTo(200);
            site.apply("limits.connections-per-address=1");
            try (RawClient counted = site.client()) {
                assertThat(counted.get("/").status()).isEqualTo(200);
                try (RawClient tooMany = site.client()) {
                    assertThat(tooMany.closedByPeer()).isTrue();
                }
            }
            site.apply();
            try (RawClient one = site.client();
                    RawClient two = site.client()) {
                assertThat(one.get("/").status()).isEqualTo(200);
                assertThat(two.get("/").status()).isEqualTo(200);
            }
            assertThat(first.get("/").status()).isEqualTo(200);
        }
    }

    private static Certificate shown(int port, SSLContext trusting) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(Site.request("GET", "/", "Connection: close").getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void tlsBeginsAndItsCertificatesChange(String engine) throws IOException {
        TestCertificate first = TestCertificate.ec(folder, "first", "dns:localhost");
        TestCertificate second = TestCertificate.ec(folder, "second", "dns:localhost");
        SSLContext trusting = TestCertificate.context(null, first, second);
        String kind = "transport.tls-engine=" + engine;
        String pair = "listeners.web.tls={certificates: [{certificate-file: %1$s.crt, private-key-file: %1$s.key}]}";
        try (Site site = Site.in(folder, kind);
                RawClient plain = site.client()) {
            int port = site.port();
            assertThat(plain.get("/").status()).isEqualTo(200);
            assertThat(site.apply(kind, pair.formatted("first"))).containsExactly("listeners.web.tls");
            assertThat(plain.get("/").field("Connection")).isEqualTo("close");
            assertThat(shown(port, trusting)).isEqualTo(first.x509());
            site.apply(kind, pair.formatted("second"));
            assertThat(shown(port, trusting)).isEqualTo(second.x509());
            // Another file of the same name, read because of the reload.
            first.replace(second);
            assertThat(site.apply(kind, pair.formatted("second"))).isEmpty();
            assertThat(shown(port, trusting)).isEqualTo(first.x509());
            Reloaded broken = site.reload(kind, pair.formatted("third"));
            assertThat(broken.result()).isEqualTo(Result.INVALID);
            assertThat(shown(port, trusting)).isEqualTo(first.x509());
        }
    }

    // ---- clients

    @Test
    void connectionsOfEveryKindOutliveAReload() {
        try (TestOrigin echo = new TestOrigin()) {
            String[] settings = {
                "listeners.1={name: out, address: \"127.0.0.1:0\", mode: forward, forward: default, congestion-control: reno}",
                "forward.default={token: off, allow-ports: [" + echo.port() + "], allow-private: [127.0.0.0/8]}"
            };
            echo.behave(Behaviour.ok("through"));
            try (Site site = Site.with(settings);
                    RawClient plain = site.client();
                    FrameClient two = FrameClient.connect(site.port());
                    RawClient tunnel = site.client("out");
                    RawClient upgraded = site.client()) {
                site.origin.behave(ReloadedListenersIT::upgrade);
                assertThat(plain.get("/").status()).isEqualTo(200);
                assertThat(two.get(1, "/").response(1).status()).isEqualTo("200");
                String target = echo.address();
                assertThat(tunnel.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n")
                                .readConnect()
                                .status())
                        .isEqualTo(200);
                assertThat(upgraded.send(Site.request("GET", "/", "Connection: upgrade", "Upgrade: websocket"))
                                .read()
                                .status())
                        .isEqualTo(101);
                // The reload replaces the upstream and all listeners, or removes them.
                site.apply("upstreams.app.timeouts.first-byte=7s", "http2.max-streams=9");
                assertThat(plain.get("/").status()).isEqualTo(200);
                assertThat(two.get(3, "/").response(3).status()).isEqualTo("200");
                assertThat(tunnel.get("/").body()).isEqualTo("through");
                assertThat(upgraded.send("ping").readBytes(4)).isEqualTo("ping");
            }
        }
    }

    private static void upgrade(TestOrigin.Received request, Socket socket) throws IOException {
        if (request.field("Upgrade").isEmpty()) {
            Behaviour.ok("hello").response(request, socket);
            return;
        }
        Behaviour.raw("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
                .response(request, socket);
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    @Test
    void http2ClientsOfAChangedListenerGetGoawayAndLoseNoExchange() {
        try (Site site = Site.with();
                FrameClient client = FrameClient.connect(site.port())) {
            assertThat(client.get(1, "/").response(1).status()).isEqualTo("200");
            site.apply("listeners.web.trusted-proxies=[127.0.0.0/8]");
            assertThat(client.await(FrameClient.GOAWAY).error()).isEqualTo("NO_ERROR");
            assertThat(client.get(3, "/").response(3).status()).isEqualTo("200");
        }
    }
}
