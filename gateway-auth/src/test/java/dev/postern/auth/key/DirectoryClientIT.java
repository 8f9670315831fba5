package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.key.DirectoryClient.Fetched;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.RawOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests deadlines, TLS and invalid responses of the client of the JDK; {@link DirectoryClientTest} has the rules. */
class DirectoryClientIT {

    private static final String GOOD = IssuerDirectoryTest.listed(
            IssuerDirectoryTest.entry(TokenMint.shared().publicKey(), 0));

    private final HttpFixture server = new HttpFixture();
    private final DirectoryClient client = new DirectoryClient(InstantSource.system(), null);

    DirectoryClientIT() throws IOException {}

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aFailureIsOneLine() throws Exception {
        try (RawOrigin broken = new RawOrigin()) {
            CompletableFuture<Fetched> fetch = client.fetch(URI.create("http://" + broken.address() + "/"), null);
            RawOrigin.Line line = broken.accept();
            line.readHead();
            line.send("\u001b[31m" + "x".repeat(100_000) + "\r\n\r\n");
            assertThatThrownBy(() -> fetch.get(10, TimeUnit.SECONDS))
                    .cause()
                    .message()
                    .contains("?[31mxxx")
                    .matches("[ -~]{1,300}");
        }
    }

    /** The connection of the first call leads nowhere any more; the second call waits for its deadline, the third connects again. */
    @Test
    void connectsAgainAfterThePeerVanished() throws Exception {
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD));
        try (FrozenRelay relay = new FrozenRelay("127.0.0.1:" + server.uri("/").getPort())) {
            URI uri = URI.create("http://" + relay.address() + "/");
            assertThat(client.fetch(uri, null).get(20, TimeUnit.SECONDS).directory())
                    .isNotNull();
            relay.freeze();
            assertThatThrownBy(() -> client.fetch(uri, null).get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
            assertThat(client.fetch(uri, null).get(20, TimeUnit.SECONDS).directory())
                    .isNotNull();
            assertThat(relay.accepted()).isEqualTo(2);
        }
    }

    @Test
    void timesOutWhenTheServerDoesNotRespond() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        BoundedHttpClient impatient = new BoundedHttpClient(1000, Duration.ofMillis(300), null, null);
        try (DirectoryClient quick = new DirectoryClient(impatient, InstantSource.system())) {
            for (boolean headFirst : new boolean[] {false, true}) {
                server.behave(exchange -> {
                    if (headFirst) {
                        exchange.sendResponseHeaders(200, 500);
                        exchange.getResponseBody().write(new byte[100]);
                        exchange.getResponseBody().flush();
                    }
                    awaitQuietly(end);
                });
                assertThatThrownBy(() -> quick.fetch(server.uri("/"), null).get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class);
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void fetchesOverHttpsFromTrustedServersOnly(@TempDir Path directory) throws Exception {
        SSLContext tls = selfSigned(directory);
        try (HttpFixture secure = new HttpFixture(tls);
                DirectoryClient trusting = new DirectoryClient(InstantSource.system(), tls)) {
            secure.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD));

            assertThat(trusting.fetch(secure.uri("/"), null)
                            .get(10, TimeUnit.SECONDS)
                            .directory())
                    .isNotNull();
            assertThatThrownBy(() -> client.fetch(secure.uri("/"), null).get(10, TimeUnit.SECONDS))
                    .hasMessageContaining("SSLHandshakeException");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a context with a self-signed certificate for localhost, which it also trusts. */
    static SSLContext selfSigned(Path directory) throws Exception {
        Path store = directory.resolve("keys.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int exit = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .start()
                .waitFor();
        assertThat(exit).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "changeit".toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", keys.getCertificate("a"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return tls;
    }
}
