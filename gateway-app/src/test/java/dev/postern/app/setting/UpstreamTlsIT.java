package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.tls.ReceivedHello;
import dev.postern.core.tls.TlsEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests the keys below {@code upstreams[].tls}: an upstream must prove its identity before it receives data. */
@BothTlsEngines
@Tag("long")
class UpstreamTlsIT {

    @TempDir
    private static Path folder;

    private static SSLContext app;
    private static SSLContext address;
    private static SSLContext shop;

    private final List<Socket> plain = new CopyOnWriteArrayList<>();
    private final List<String> serverNames = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void certificates() {
        app = TestCertificate.context(TestCertificate.ec(folder, "app", "dns:app.example", "dns:localhost"));
        shop = TestCertificate.context(TestCertificate.ec(folder, "shop", "dns:*.shop.example"));
        address = TestCertificate.context(TestCertificate.ec(folder, "address", "ip:127.0.0.1"));
    }

    @Parameter
    private TlsEngine.Kind engine;

    private String engine() {
        return "transport.tls-engine=" + engine.name().toLowerCase(Locale.ROOT);
    }

    private TestOrigin origin(SSLContext context, String... protocols) {
        return origin(context, false, protocols);
    }

    /** @param requiring whether the origin requires a certificate of its client */
    private TestOrigin origin(SSLContext context, boolean requiring, String... protocols) {
        return new TestOrigin(accepted -> {
            try {
                plain.add(accepted);
                ReceivedHello.Accepted received = ReceivedHello.read(accepted, context);
                serverNames.add(received.serverName());
                SSLSocket socket = received.socket();
                socket.setUseClientMode(false);
                socket.setNeedClientAuth(requiring);
                if (protocols.length > 0) {
                    socket.setEnabledProtocols(protocols);
                }
                return socket;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Site site(TestOrigin origin, String tls, String... more) {
        return site(origin.address(), tls, more);
    }

    private Site site(String endpoint, String tls, String... more) {
        // A handshake on a busy machine takes longer than the default.
        List<String> all = new ArrayList<>(List.of(engine(), "upstreams.app.timeouts.connect=10s"));
        all.add("upstreams.app.endpoints=[\"" + endpoint + "\"]");
        all.add("upstreams.app.tls=" + tls);
        all.addAll(List.of(more));
        return Site.in(folder, all.toArray(String[]::new));
    }

    private void refused(TestOrigin origin, String tls, String code) {
        try (Site site = site(origin, tls)) {
            RawClient.Response response = site.get("/");
            assertThat(response.body()).contains("\"code\":\"" + code + "\"");
            assertThat(origin.received()).isEmpty();
            assertThat(site.metrics())
                    .contains("postern_upstream_connects_total{result=\"failed\",upstream=\"app\"} 1.0");
        }
    }

    @Test
    void requestsTheConfiguredServerName() {
        try (TestOrigin origin = origin(app);
                Site site = site(origin, "{server-name: app.example, ca-file: app.crt}");
                RawClient client = site.client()) {
            origin.behave(TestOrigin.Behaviour.ok("hello"));
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(client.get("/").body()).isEqualTo("hello");
            assertThat(serverNames).containsExactly("app.example");
            assertThat(origin.connections()).isEqualTo(1);
        }
    }

    @Test
    void requestsTheNameInHostUnlessTlsHasItsOwn() {
        try (TestOrigin origin = origin(app);
                Site site = site(origin, "{ca-file: app.crt}", "upstreams.app.host=app.example:8443")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(serverNames).containsExactly("app.example");
            assertThat(origin.received().get(0).field("Host")).isEqualTo("app.example:8443");
        }
        try (TestOrigin origin = origin(app);
                Site site = site(
                        origin, "{server-name: app.example, ca-file: app.crt}", "upstreams.app.host=other.example")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(serverNames).containsExactly("app.example", "app.example");
            assertThat(origin.received().get(0).field("Host")).isEqualTo("other.example");
        }
    }

    @Test
    void verifiesTheHostOfTheEndpointByDefault() {
        try (TestOrigin origin = origin(app);
                Site site = site("localhost:" + origin.port(), "{ca-file: app.crt}")) {
            assertThat(site.get("/").status()).isEqualTo(200);
        }
        try (TestOrigin origin = origin(address);
                Site site = site(origin, "{ca-file: address.crt}")) {
            assertThat(site.get("/").status()).isEqualTo(200);
        }
    }

    /** Java's own classes neither send nor check a name with an underscore. */
    @Test
    void sendsAndVerifiesNamesThatJavaRefuses() throws IOException {
        try (FakeNameServer names = new FakeNameServer()) {
            names.respond("A my_app.shop.example", DnsReply.of("A 127.0.0.1"));
            String servers =
                    "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]";
            try (TestOrigin origin = origin(shop);
                    Site site = site("my_app.shop.example:" + origin.port(), "{ca-file: shop.crt}", servers)) {
                assertThat(site.get("/").status()).isEqualTo(200);
                assertThat(serverNames).containsExactly("my_app.shop.example");
            }
            try (TestOrigin origin = origin(app);
                    Site site = site("my_app.shop.example:" + origin.port(), "{ca-file: app.crt}", servers)) {
                assertThat(site.get("/").body()).contains("\"code\":\"upstream-tls\"");
                assertThat(origin.received()).isEmpty();
            }
        }
    }

    @Test
    void sendsNothingToAnUnverifiedServer() {
        try (TestOrigin origin = origin(app)) {
            refused(origin, "{server-name: other.example, ca-file: app.crt}", "upstream-tls");
            refused(origin, "{ca-file: app.crt}", "upstream-tls"); // the certificate does not contain the address
            refused(origin, "{server-name: app.example, ca-file: address.crt}", "upstream-tls");
            refused(
                    origin,
                    "{server-name: app.example}",
                    "upstream-tls"); // Java does not trust self-signed certificates
        }
        try (TestOrigin origin = origin(address)) {
            refused(origin, "{server-name: 127.0.0.2, ca-file: address.crt}", "upstream-tls");
        }
    }

    @Test
    void sendsNothingToAServerWithoutTls() throws IOException {
        try (TestOrigin plaintext = new TestOrigin(UpstreamTlsIT::greeting)) {
            refused(plaintext, "{ca-file: app.crt}", "upstream-tls");
        }
        try (TestOrigin closing = new TestOrigin(UpstreamTlsIT::leaving)) {
            refused(closing, "{ca-file: app.crt}", "upstream-tls");
        }
        try (ServerSocket silent = new ServerSocket(0);
                Site site = site(
                        "127.0.0.1:" + silent.getLocalPort(),
                        "{ca-file: app.crt}",
                        "upstreams.app.timeouts.connect=300ms")) {
            assertThat(site.get("/").body()).contains("upstream-connect-timeout");
        }
    }

    private static Socket greeting(Socket socket) {
        try {
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket leaving(Socket socket) {
        try {
            socket.close();
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void authoritiesAreReadAgain() throws IOException {
        Path file = folder.resolve("changing-" + engine + ".crt");
        Files.copy(folder.resolve("address.crt"), file);
        try (TestOrigin origin = origin(app);
                Site site = site(origin, "{server-name: app.example, ca-file: changing-" + engine + ".crt}")) {
            assertThat(site.get("/").body()).contains("upstream-tls");
            Files.writeString(file, "not yet whole");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> site.metrics()
                            .contains("postern_upstream_certificates_total{result=\"failed\",upstream=\"app\"} 1.0"));
            Files.copy(folder.resolve("app.crt"), file, StandardCopyOption.REPLACE_EXISTING);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> site.get("/").status() == 200);
        }
    }

    @Test
    void presentsItsCertificate() throws IOException {
        TestCertificate first = TestCertificate.ec(folder, "own-" + engine, "dns:gateway.example");
        TestCertificate second = TestCertificate.rsa(folder, "second-" + engine, "dns:gateway.example");
        TestCertificate server = TestCertificate.ec(folder, "requiring-" + engine, "dns:app.example");
        String trust = "server-name: app.example, ca-file: requiring-" + engine + ".crt";
        Path certificate = first.certificate().getFileName();
        Path key = first.key().getFileName();
        Set<Object> presented = ConcurrentHashMap.newKeySet();
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (TestOrigin origin = origin(TestCertificate.context(server, first, second), true, version);
                    Site anonymous = site(origin, "{" + trust + "}");
                    Site site = site(
                            origin,
                            "{" + trust + ", certificate-file: " + certificate + ", private-key-file: " + key + "}",
                            "upstreams.app.pool.keep-alive=false")) {
                origin.behave((request, socket) -> {
                    presented.add(((SSLSocket) socket).getSession().getPeerCertificates()[0]);
                    TestOrigin.Behaviour.ok("hello").response(request, socket);
                });
                assertThat(anonymous.get("/").status()).as(version).isEqualTo(502);
                assertThat(origin.received()).isEmpty();
                assertThat(site.get("/").status()).as(version).isEqualTo(200);
                assertThat(presented).containsExactly(first.x509());
                if (version.equals("TLSv1.3")) {
                    second.replace(first);
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> site.get("/").status() == 200 && presented.contains(second.x509()));
                }
            }
        }
    }

    @Test
    void sessionsAreResumed() {
        Set<String> sessions = ConcurrentHashMap.newKeySet();
        try (TestOrigin origin = origin(app, "TLSv1.2");
                Site site = site(
                        origin,
                        "{server-name: app.example, ca-file: app.crt}",
                        "upstreams.app.pool.keep-alive=false")) {
            origin.behave((request, socket) -> {
                sessions.add(String.valueOf(((SSLSocket) socket).getSession().getCreationTime()));
                TestOrigin.Behaviour.ok("hello").response(request, socket);
            });
            for (int i = 0; i < 3; i++) {
                assertThat(site.get("/").status()).isEqualTo(200);
            }
            assertThat(origin.connections()).isEqualTo(3);
        }
        assertThat(sessions).hasSize(1);
    }

    @Test
    void responsesWithoutALengthRequireCloseNotify() {
        String begun = "HTTP/1.1 200 OK\r\n\r\nhalf";
        try (TestOrigin origin = origin(app);
                Site site = site(origin, "{server-name: app.example, ca-file: app.crt}")) {
            origin.behave((request, socket) -> {
                TestOrigin.Behaviour.raw(begun).response(request, socket);
                socket.close();
            });
            assertThat(site.get("/").body()).isEqualTo("half");
            origin.behave((request, socket) -> {
                TestOrigin.Behaviour.raw(begun).response(request, socket);
                plain.forEach(UpstreamTlsIT::cut);
            });
            assertThatThrownBy(() -> site.get("/")).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void cut(Socket socket) {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // The socket is already closed.
        }
    }
}
