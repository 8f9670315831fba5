package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.postern.auth.testing.ManualThread;
import dev.postern.auth.testing.MemoryHttp;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests keys that follow a directory over HTTP. */
class IssuerKeysTest {

    private static final RsaKey OLD = TokenMint.shared().key();
    private static final RsaKey NEW = TokenMint.fresh().key();

    private final MemoryHttp server = new MemoryHttp();
    private final ManualThread thread = new ManualThread(Instant.parse("2026-05-04T03:02:01Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void keepsItsKeysDuringFaultsOfTheDirectory() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofSeconds(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(counted("ok")).isPositive();

            server.behave(text(200, "text/html", "<h1>oops</h1>"));
            thread.pass(Duration.ofSeconds(3));
            assertThat(counted("bad")).isGreaterThanOrEqualTo(1);
            server.behave(text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed()));
            double keysBefore = counted("bad");
            thread.pass(Duration.ofSeconds(3));
            assertThat(counted("bad")).isGreaterThan(keysBefore);
            assertThat(keys.status().get(0).problem()).contains("token-keys: none");
            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(keys.status().get(0).success()).isNotNull();
            assertThat(registry.get("postern.issuer.keys").gauge().value()).isEqualTo(1);

            server.behave(listing(NEW));
            thread.pass(Duration.ofSeconds(3));
            assertThat(keys.table().knows(NEW.id())).isTrue();
            assertThat(keys.table().knows(OLD.id())).isFalse();
            assertThat(keys.status().get(0).problem()).isEmpty();
        }
    }

    @Test
    void keepsTheKeysBesideOddEntriesAndNamesThese() throws Exception {
        String odd = IssuerDirectoryTest.entry("AAAA", 0);
        server.behave(text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(odd, entry(OLD))));
        try (IssuerKeys keys = open(Duration.ofSeconds(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));

            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(counted("ok")).isPositive();
            IssuerStatus status = keys.status().get(0);
            assertThat(status.problem()).isEmpty();
            assertThat(status.skipped()).hasSize(1);
            assertThat(status.skipped().get(0).toString()).startsWith("token-keys[0]: token-key: algorithm: 000000");
            assertThat(registry.get("postern.issuer.skipped").gauge().value()).isEqualTo(1);

            server.behave(text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(odd, odd)));
            thread.pass(Duration.ofSeconds(3));
            assertThat(keys.status().get(0).problem())
                    .contains("token-keys: none")
                    .contains("token-keys[0]: ");
            assertThat(counted("bad")).isPositive();
            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(registry.get("postern.issuer.skipped").gauge().value()).isEqualTo(2);

            server.behave(listing(NEW));
            thread.pass(Duration.ofSeconds(3));
            assertThat(keys.table().knows(NEW.id())).isTrue();
            assertThat(keys.status().get(0).skipped()).isEmpty();
            assertThat(registry.get("postern.issuer.skipped").gauge().value()).isZero();
        }
    }

    @Test
    void keepsItsKeysWhileTheIssuerIsUnavailable() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofSeconds(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            server.stop();

            thread.pass(Duration.ofSeconds(3));
            assertThat(counted("failed")).isGreaterThanOrEqualTo(2);

            assertThat(keys.table().knows(OLD.id())).isTrue();
        }
    }

    @Test
    void fetchesAtMostOncePerFiveSeconds() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofHours(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            // The result of a fetch that has just ended is visible to callers that read the keys before it.
            assertThat(keys.refetch("issuer.example")).isCompleted();
            thread.pass(Duration.ofSeconds(4));
            assertThat(keys.refetch("issuer.example")).isNull();
            assertThat(server.requests()).isEqualTo(1);
            server.behave(listing(NEW, OLD));

            thread.pass(Duration.ofSeconds(1));
            CompletableFuture<Void> fetch = keys.refetch("issuer.example");
            assertThat(fetch).isNotNull();
            assertThat(keys.refetch("issuer.example")).isSameAs(fetch);
            thread.run();

            assertThat(fetch).isCompleted();
            assertThat(keys.table().knows(NEW.id())).isTrue();
            assertThat(server.requests()).isEqualTo(2);
            assertThat(keys.refetch("unknown.example")).isNull();
        }
    }

    @Test
    void fetchesShortlyBeforeTheMaxAgeEnds() throws Exception {
        server.behave(text(
                200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(entry(OLD)), "Cache-Control", "max-age=7"));
        try (IssuerKeys keys = open(Duration.ofHours(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));

            IssuerStatus status = keys.status().get(0);

            assertThat(status.success()).isNotNull();
            assertThat(status.next()).isNotNull();
            assertThat(Duration.between(status.success(), status.next())).isEqualTo(Duration.ofMillis(6300));
            assertThat(status.freshUntil()).isNotNull();
            assertThat(Duration.between(status.success(), status.freshUntil())).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @Test
    void endsTheWaitForAnUnreachableIssuer() throws Exception {
        server.stop();
        try (IssuerKeys keys = open(Duration.ofHours(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));

            assertThat(counted("failed")).isEqualTo(1);
            assertThat(keys.table().keys()).isEmpty();
        }
    }

    private IssuerKeys open(Duration refresh) {
        IssuerSettings settings = TestSettings.issuer("issuer.example", server.uri("/directory"), refresh);
        IssuerKeys keys = IssuerKeys.open(
                List.of(settings),
                null,
                Duration.ofSeconds(30),
                new IssuerKeys.Environment(registry, thread.clock(), thread.ticker()),
                new DirectoryClient(
                        new BoundedHttpClient(1024 * 1024, Duration.ofSeconds(5), threads -> server), thread.clock()),
                thread);
        thread.run();
        return keys;
    }

    private double counted(String result) {
        Counter counter =
                registry.find("postern.issuer.fetches").tag("result", result).counter();
        return counter == null ? 0 : counter.count();
    }

    private static HttpHandler listing(RsaKey... keys) {
        String[] entries = List.of(keys).stream().map(IssuerKeysTest::entry).toArray(String[]::new);
        return text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(entries));
    }

    private static String entry(RsaKey key) {
        return IssuerDirectoryTest.entry(Base64Url.encode(key.encoded()), 0);
    }
}
