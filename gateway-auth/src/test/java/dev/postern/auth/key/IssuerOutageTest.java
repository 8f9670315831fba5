package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.send;
import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.postern.auth.testing.ManualThread;
import dev.postern.auth.testing.MemoryHttp;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests keys while their issuer is unavailable, sends invalid directories, or is overridden by an operator; over HTTP and HTTPS. */
class IssuerOutageTest {

    private static final String NAME = "issuer.example:8443";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final RsaKey OLD = TokenMint.shared().key();
    private static final RsaKey NEW = TokenMint.fresh().key();

    private final MemoryHttp server = new MemoryHttp();
    private ManualThread thread = new ManualThread(Instant.parse("2026-05-04T03:02:01Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path folder;

    @Test
    void keepsItsKeysWithEveryInvalidDirectory() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(settings(Duration.ofSeconds(1)))) {
            keys.awaitFirst(PATIENCE);
            String kept = Files.readString(copy());
            Map<String, HttpHandler> invalidDirectories = invalidDirectories();
            for (Map.Entry<String, HttpHandler> invalid : invalidDirectories.entrySet()) {
                server.behave(invalid.getValue());
                double countBefore = counted("bad") + counted("failed");
                thread.pass(Duration.ofSeconds(3));
                assertThat(counted("bad") + counted("failed"))
                        .as(invalid.getKey())
                        .isGreaterThan(countBefore + 1);
                assertThat(find(keys, OLD)).as(invalid.getKey()).isNotNull();
                assertThat(keys.table().knows(NEW.id())).as(invalid.getKey()).isFalse();
                IssuerStatus status = keys.status().get(0);
                assertThat(status.problem()).contains(invalid.getKey());
                assertThat(status.failure()).as(invalid.getKey()).isNotNull();
                assertThat(Files.readString(copy())).as(invalid.getKey()).isEqualTo(kept);
            }
            server.behave(listing(NEW));
            thread.pass(Duration.ofSeconds(3));
            assertThat(find(keys, NEW)).isNotNull();
        }
    }

    /** Returns invalid directories by their description. */
    private Map<String, HttpHandler> invalidDirectories() {
        byte[] good = NEW.encoded();
        byte[] oid = good.clone();
        oid[16] = 0x0b;
        byte[] exponentOne = good.clone();
        System.arraycopy(new byte[] {2, 3, 0, 0, 1}, 0, exponentOne, good.length - 5, 5);
        byte[] exponentOneShort = Arrays.copyOf(good, good.length - 2);
        System.arraycopy(new byte[] {2, 1, 1}, 0, exponentOneShort, exponentOneShort.length - 3, 3);
        for (int low : new int[] {3, 70, 75}) {
            // The enclosing lengths: two bytes less each.
            exponentOneShort[low] = (byte) (exponentOneShort[low] - 2);
        }
        Map<String, HttpHandler> invalidDirectories = new LinkedHashMap<>();
        invalidDirectories.put("not JSON", text(200, IssuerDirectory.MEDIA_TYPE, "{\"token-keys\": [}"));
        invalidDirectories.put(
                "SubjectPublicKeyInfo: 210 bytes", // a modulus of 1024 bits
                keyed(RsaKeyTest.encode(BigInteger.ONE.shiftLeft(1023).setBit(0), "0203010001")));
        invalidDirectories.put("exponent: 0203000001 ", keyed(exponentOne));
        invalidDirectories.put("SubjectPublicKeyInfo: " + exponentOneShort.length + " bytes", keyed(exponentOneShort));
        invalidDirectories.put("id-RSASSA-PSS", keyed(oid));
        invalidDirectories.put(
                "SubjectPublicKeyInfo: " + (good.length + 1) + " bytes", keyed(Arrays.copyOf(good, good.length + 1)));
        invalidDirectories.put("more than 1048576 bytes", exchange -> {
            exchange.sendResponseHeaders(200, 100_000_000);
            byte[] block = new byte[64 * 1024];
            for (int sent = 0; sent < 100_000_000; sent += block.length) {
                exchange.getResponseBody().write(block);
            }
        });
        invalidDirectories.put("status 302", exchange -> {
            exchange.getResponseHeaders().set("Location", "http://other.example:8443/directory");
            send(exchange, 302, new byte[0]);
        });
        return invalidDirectories;
    }

    @Test
    void startsWithTheCopyOnDiskWhileTheIssuerIsUnavailable() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(settings(Duration.ofHours(1)))) {
            keys.awaitFirst(PATIENCE);
        }
        server.stop();

        try (IssuerKeys keys = open(settings(Duration.ofHours(1)))) {
            assertThat(find(keys, OLD)).isNotNull();
            assertThat(keys.table()
                            .preferred(NAME, TokenType.BLIND_RSA, thread.clock().instant()))
                    .isNotNull();
            keys.awaitFirst(PATIENCE);
            assertThat(find(keys, OLD)).isNotNull();
            assertThat(counted("failed")).isEqualTo(1);
            assertThat(keys.status().get(0).success()).isNull();
            assertThat(gauge("postern.issuer.age")).isNaN();
        }
    }

    @Test
    void keepsTheGracePeriodOfAKeyAcrossARestart() throws Exception {
        IssuerSettings settings = settings(Duration.ofSeconds(1));
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(settings)) {
            keys.awaitFirst(PATIENCE);
            server.behave(listing(NEW));
            double countBefore = counted("ok");
            thread.pass(Duration.ofSeconds(3));
            assertThat(counted("ok")).isGreaterThan(countBefore);
            assertThat(find(keys, OLD)).isNotNull();
        }
        server.stop();
        try (IssuerKeys keys = open(settings)) {
            assertThat(find(keys, OLD)).isNotNull();
            assertThat(keys.table()
                            .find(OLD.id(), NAME, thread.clock().instant().plusSeconds(301)))
                    .isNull();
            assertThat(find(keys, NEW)).isNotNull();
        }
    }

    @Test
    void keepsAnUnusableCopy() throws Exception {
        String key = TokenMint.shared().publicKey();
        for (String text : List.of(
                "",
                "{",
                "[1]",
                "{\"keys\":[{\"type\":2,\"key\":\"AAAA\",\"from\":0}]}",
                "{\"keys\":[{\"type\":2,\"key\":\"" + key + "\",\"from\":1000000000000000000}]}")) {
            Files.writeString(copy(), text);
            server.behave(listing(OLD));
            try (IssuerKeys keys = open(settings(Duration.ofHours(1)))) {
                keys.awaitFirst(PATIENCE);
                assertThat(find(keys, OLD)).as(text).isNotNull();
            }
        }
    }

    @Test
    void readsOnlyPinnedKeysFromACopy() throws Exception {
        server.behave(listing(OLD, NEW));
        try (IssuerKeys keys = open(settings(Duration.ofHours(1)))) {
            keys.awaitFirst(PATIENCE);
        }
        server.stop();
        IssuerSettings pinned = TestSettings.restricted(
                settings(Duration.ofHours(1)), List.of(NEW.id().toString()), List.of());
        try (IssuerKeys keys = open(pinned)) {
            assertThat(find(keys, OLD)).isNull();
            assertThat(find(keys, NEW)).isNotNull();
        }
    }

    @Test
    void dropsAKeyAtOnceAndPermanently() throws Exception {
        server.behave(listing(OLD, NEW));
        try (IssuerKeys keys = open(settings(Duration.ofSeconds(1)))) {
            keys.awaitFirst(PATIENCE);
            assertThat(gauge("postern.issuer.left")).isEqualTo(Double.POSITIVE_INFINITY);

            assertThat(keys.drop(NAME, OLD.id().toString())).isTrue();

            assertThat(find(keys, OLD)).isNull();
            assertThat(keys.table()
                            .preferred(NAME, TokenType.BLIND_RSA, thread.clock().instant()))
                    .hasToString(NEW.id().toString());
            // A dropped key is known, so its tokens are refused without a fetch.
            assertThat(keys.table().knows(OLD.id())).isTrue();
            double countBefore = counted("ok");
            thread.pass(Duration.ofSeconds(3));
            assertThat(counted("ok")).isGreaterThan(countBefore);
            assertThat(find(keys, OLD)).isNull();
            assertThat(keys.status().get(0).keys())
                    .extracting(AcceptedKey::dropped)
                    .containsExactly(true, false);
            assertThat(gauge("postern.issuer.keys")).isEqualTo(1);
            assertThat(gauge("postern.issuer.age")).isBetween(0.0, 10.0);

            assertThat(keys.drop(NAME, NEW.id().toString())).isTrue();
            assertThat(keys.table().usable(thread.clock().instant())).isFalse();
            assertThat(gauge("postern.issuer.left")).isZero();
            assertThat(keys.drop(NAME, "00".repeat(32))).isFalse();
            assertThat(keys.drop("unknown.example", OLD.id().toString())).isFalse();
        }
    }

    @Test
    void neverAcceptsARevokedKey() throws Exception {
        server.behave(listing(OLD, NEW));
        List<String> revoked = List.of(OLD.id().toString());
        try (IssuerKeys keys = open(TestSettings.restricted(settings(Duration.ofHours(1)), List.of(), revoked))) {
            keys.awaitFirst(PATIENCE);

            assertThat(find(keys, OLD)).isNull();
            assertThat(find(keys, NEW)).isNotNull();
        }
        IssuerSettings fixed =
                TestSettings.issuerWithKeys(NAME, TokenMint.shared().publicKey());
        try (IssuerKeys keys = open(TestSettings.restricted(fixed, List.of(), revoked))) {
            assertThat(find(keys, OLD)).isNull();
        }
    }

    @Test
    void revalidatesWhatItHas() throws Exception {
        server.behave(exchange -> {
            if ("\"v1\"".equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                send(exchange, 304, new byte[0]);
            } else {
                exchange.getResponseHeaders().set("ETag", "\"v1\"");
                listing(OLD).handle(exchange);
            }
        });
        try (IssuerKeys keys = open(settings(Duration.ofSeconds(1)))) {
            thread.pass(Duration.ofSeconds(3));

            assertThat(counted("unchanged")).isGreaterThanOrEqualTo(2);
            assertThat(counted("ok")).isEqualTo(1);
            assertThat(find(keys, OLD)).isNotNull();
        }
    }

    private IssuerSettings settings(Duration refresh) {
        return new IssuerSettings(
                NAME,
                server.uri("/directory").toString(),
                refresh,
                Duration.ofMinutes(5),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private IssuerKeys open(IssuerSettings settings) {
        thread = new ManualThread(thread.clock().instant());
        IssuerKeys keys = IssuerKeys.open(
                List.of(settings),
                folder,
                Duration.ofSeconds(30),
                new IssuerKeys.Environment(registry, thread.clock(), thread.ticker()),
                new DirectoryClient(
                        new BoundedHttpClient(1024 * 1024, Duration.ofSeconds(5), threads -> server), thread.clock()),
                thread);
        thread.run();
        return keys;
    }

    private Path copy() {
        return folder.resolve("issuer.example%3A8443.json");
    }

    private @Nullable IssuerKey find(IssuerKeys keys, RsaKey key) {
        return keys.table().find(key.id(), NAME, thread.clock().instant());
    }

    private double counted(String result) {
        Counter counter =
                registry.find("postern.issuer.fetches").tag("result", result).counter();
        return counter == null ? 0 : counter.count();
    }

    private double gauge(String name) {
        Gauge gauge = registry.find(name).tag("issuer", NAME).gauge();
        return gauge == null ? -1 : gauge.value();
    }

    private static HttpHandler keyed(byte[] key) {
        return text(
                200,
                IssuerDirectory.MEDIA_TYPE,
                IssuerDirectoryTest.listed(IssuerDirectoryTest.entry(Base64Url.encode(key), 0)));
    }

    /** Returns a handler that sends a directory with the keys. */
    static HttpHandler listing(RsaKey... keys) {
        String[] entries = Arrays.stream(keys)
                .map(k -> IssuerDirectoryTest.entry(Base64Url.encode(k.encoded()), 0))
                .toArray(String[]::new);
        return text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(entries));
    }
}
