package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests open tunnels of all kinds while a store fails, the configuration or a certificate changes, and the gateway stops. {@code
 * -Dtunnels.each=200} opens more.
 */
@Tag("long")
class TunnelFaultsIT {

    /** Tunnels of each kind. */
    private static final int EACH = Integer.getInteger("tunnels.each", 40);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String OPEN = "token: required, allow-private: [127.0.0.0/8], allow-ports: [\"1024-65535\"],"
            + " udp: {allow-ports: [\"1024-65535\"]}";

    @TempDir
    private Path folder;

    private static int port(Site site) {
        return site.gateway().listener("out").getPort();
    }

    private static RawClient.Response ask(Site site, String request) {
        try (RawClient client = new RawClient(port(site))) {
            return client.send(request).readConnect();
        }
    }

    private static String challenge(Site site, OpenTunnels tunnels) {
        RawClient.Response refused = ask(site, tunnels.connect(""));
        assertThat(refused.status()).isEqualTo(407);
        return refused.field("Proxy-Authenticate");
    }

    private static String[] settings(String policy, String... more) {
        return Stream.concat(Site.forward(policy).stream(), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void anOutageOfTheLedgerHarmsNoOpenTunnel() throws Exception {
        try (ServerProcess memcached = Site.memcached();
                Site site = Site.with(settings(OPEN, Site.issuer(), Site.ledger(memcached)));
                OpenTunnels tunnels = new OpenTunnels()) {
            String challenge = challenge(site, tunnels);
            tunnels.open(port(site), EACH, challenge);
            tunnels.exchange("before");

            memcached.kill();
            tunnels.exchange("without a ledger");
            RawClient.Response refused = ask(site, tunnels.connect(Site.MINT.response(challenge)));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"ledger-unknown\"");

            memcached.start();
            await().atMost(LONG).until(() -> {
                // a new challenge each time: the restarted ledger has lost the spends of earlier ones
                String token = Site.MINT.response(challenge(site, tunnels));
                return ask(site, tunnels.connect(token)).status() == 200;
            });
            tunnels.exchange("after");
        }
    }

    @Test
    void aReloadHarmsNoOpenTunnel() throws Exception {
        try (Site site = Site.with(settings(OPEN, Site.issuer()));
                OpenTunnels tunnels = new OpenTunnels()) {
            String challenge = challenge(site, tunnels);
            tunnels.open(port(site), EACH, challenge);
            tunnels.exchange("before");

            site.apply(settings(
                    "token: required, allow-private: [127.0.0.0/8], allow-ports: [443], udp: {allow-ports: []}",
                    Site.issuer(),
                    "upstreams.app.endpoints=[\"127.0.0.1:2\"]"));
            assertThat(ask(site, tunnels.connect(Site.MINT.response(challenge))).status())
                    .isEqualTo(403);
            tunnels.exchange("after");
        }
    }

    @Test
    void aNewCertificateHarmsNoOpenTunnel() throws Exception {
        TestCertificate first = TestCertificate.ec(folder, "tls", "dns:localhost");
        TestCertificate second = TestCertificate.ec(folder, "next", "dns:localhost");
        SSLContext trusting = TestCertificate.context(null, first, second);
        String[] settings = {
            "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default, tls: {certificates:"
                    + " [{certificate-file: tls.crt, private-key-file: tls.key}]}}]",
            "forward={default: {" + OPEN + "}}",
            Site.issuer()
        };
        try (Site site = Site.in(folder, settings);
                TlsClientRelay relay = new TlsClientRelay(trusting, port(site), "http/1.1");
                TlsClientRelay relay2 = new TlsClientRelay(trusting, port(site), "h2");
                OpenTunnels tunnels = new OpenTunnels()) {
            String challenge;
            try (RawClient client = new RawClient(relay.port())) {
                challenge = client.send(tunnels.connect("")).readConnect().field("Proxy-Authenticate");
            }
            tunnels.open(relay.port(), relay2.port(), EACH, challenge);
            tunnels.exchange("before");
            assertThat(certificate(trusting, site)).isEqualTo(first.x509());

            second.replace(first);
            site.apply(settings);
            await().atMost(LONG).until(() -> certificate(trusting, site).equals(second.x509()));
            tunnels.exchange("after");
        }
    }

    /** Returns the certificate of a new connection. */
    private static Certificate certificate(SSLContext trusting, Site site) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port(site))) {
            socket.setSoTimeout((int) LONG.toMillis());
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** A drain has two minutes here; the test ends because idle tunnels end by themselves and the others when their clients go. */
    @Test
    void aDrainEndsIdleTunnelsAndLetsOthersContinue() throws Exception {
        try (Site site = Site.with(settings(OPEN, Site.issuer(), "lifecycle.drain-timeout=2m"));
                OpenTunnels idle = new OpenTunnels();
                OpenTunnels busy = new OpenTunnels()) {
            int port = port(site);
            String challenge = challenge(site, busy);
            idle.open(port, EACH, challenge);
            busy.open(port, EACH, challenge);
            idle.exchange("before");
            assertThat(tunnels(site)).containsExactly(4 * EACH, 4 * EACH);

            CompletableFuture<Void> drained = CompletableFuture.runAsync(() -> {
                try {
                    site.gateway().drain();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().atMost(LONG).untilAsserted(() -> assertThatThrownBy(() -> new RawClient(port).close()));
            await().atMost(LONG).untilAsserted(() -> {
                busy.exchange("during");
                assertThat(tunnels(site)).containsExactly(2 * EACH, 2 * EACH);
            });
            busy.exchange("after");
            assertThat(drained).isNotDone();
            busy.end();
            await().atMost(LONG).until(drained::isDone);
        }
    }

    /** Returns the number of open tunnels of CONNECT and of CONNECT-UDP. */
    private static List<Integer> tunnels(Site site) {
        return List.of(
                site.meter("postern_tunnels{kind=\"connect\"}"), site.meter("postern_tunnels{kind=\"connect-udp\"}"));
    }

    @Test
    void aDrainEndsAtItsTimeout() throws Exception {
        try (Site site = Site.with(settings(OPEN, Site.issuer()));
                OpenTunnels tunnels = new OpenTunnels()) {
            tunnels.open(port(site), 1, challenge(site, tunnels));
            site.gateway().drain(); // its timeout is 1 s
            assertThatThrownBy(() -> tunnels.exchange("after")).isInstanceOfAny(Exception.class, AssertionError.class);
        }
    }
}
