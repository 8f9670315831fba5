package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.send;
import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import dev.postern.auth.key.DirectoryClient.Fetched;
import dev.postern.auth.key.DirectoryClient.Validators;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.FrozenRelay;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
    void readsADirectoryAndItsFreshness() throws Exception {
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD, "Cache-Control", "max-age=60", "ETag", "\"1\""));

        Fetched fetched = fetch("/", null);

        assertThat(fetched.directory()).isNotNull();
        assertThat(fetched.directory().keys()).hasSize(1);
        assertThat(fetched.fresh()).isEqualTo(Duration.ofSeconds(60));
        assertThat(fetched.validators().etag()).isEqualTo("\"1\"");
    }

    @Test
    void revalidatesByEntityTag() throws Exception {
        server.behave(exchange -> {
            boolean same = "\"1\"".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
            send(exchange, same ? 304 : 500, new byte[0]);
        });

        Fetched unchanged = fetch("/", new Validators("\"1\"", null));
        assertThat(unchanged.directory()).isNull();
        assertThat(unchanged.validators().etag()).isEqualTo("\"1\"");
        assertThatThrownBy(() -> fetch("/", null)).hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void revalidatesByDate() throws Exception {
        String date = "Fri, 20 Nov 2026 12:00:00 GMT";
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD, "Last-Modified", date));
        Fetched first = fetch("/", null);
        assertThat(first.validators().lastModified()).isEqualTo(date);
        server.behave(exchange -> {
            boolean same = date.equals(exchange.getRequestHeaders().getFirst("If-Modified-Since"));
            send(exchange, same ? 304 : 500, new byte[0]);
        });

        assertThat(fetch("/", first.validators()).directory()).isNull();
    }

    @Test
    void refusesAnUnrequested304() {
        server.behave(exchange -> send(exchange, 304, new byte[0]));

        assertThatThrownBy(() -> fetch("/", new Validators(null, null))).hasMessageContaining("status 304");
    }

    @Test
    void followsRedirectsWithinTheServer() throws Exception {
        server.behave(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/moved")) {
                text(200, IssuerDirectory.MEDIA_TYPE, GOOD).handle(exchange);
            } else {
                exchange.getResponseHeaders().set("Location", "/moved");
                send(exchange, 307, new byte[0]);
            }
        });

        assertThat(fetch("/", null).directory()).isNotNull();
    }

    @Test
    void followsNoRedirectToAnotherServer() throws Exception {
        try (HttpFixture other = new HttpFixture()) {
            other.behave(text(200, IssuerDirectory.MEDIA_TYPE, GOOD));
            server.behave(exchange -> {
                exchange.getResponseHeaders().set("Location", other.uri("/").toString());
                send(exchange, 302, new byte[0]);
            });

            assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("status 302");
            assertThat(other.requests()).isZero();
        }
    }

    @Test
    void stopsARedirectLoop() {
        server.behave(exchange -> {
            exchange.getResponseHeaders().set("Location", "/again");
            send(exchange, 302, new byte[0]);
        });

        assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("status 302");
        assertThat(server.requests()).isEqualTo(4);
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

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of("not found", text(404, "text/html", "<h1>404</h1>")),
                Arguments.of("HTML with status 200", text(200, "text/html", "<h1>hello</h1>")),
                Arguments.of("JSON cut off", text(200, IssuerDirectory.MEDIA_TYPE, GOOD.substring(0, 200))),
                Arguments.of("empty", text(200, IssuerDirectory.MEDIA_TYPE, "")),
                Arguments.of("nested without end", text(200, IssuerDirectory.MEDIA_TYPE, "[".repeat(900_000))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesInvalidDirectories(String subject, HttpHandler behaviour) {
        server.behave(behaviour);

        assertThatThrownBy(() -> fetch("/", null))
                .hasRootCauseInstanceOf(Exception.class)
                .cause()
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsNoMoreThanAMebibyte() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        server.behave(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] block = new byte[64 * 1024];
            try {
                for (int i = 0; i < 100 * 16; i++) {
                    exchange.getResponseBody().write(block);
                }
            } catch (IOException e) {
                stopped.countDown();
            }
        });

        assertThatThrownBy(() -> fetch("/", null)).hasMessageContaining("more than 1048576 bytes");
        assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void timesOutWhenTheServerDoesNotRespond() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        BoundedHttpClient impatient = new BoundedHttpClient(1000, Duration.ofMillis(300), null);
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

    private Fetched fetch(String path, @Nullable Validators copy) throws Exception {
        return client.fetch(server.uri(path), copy).get(10, TimeUnit.SECONDS);
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
