package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpHandler;
import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests keys that follow a directory over HTTP. */
class IssuerKeysIT {

    private static final RsaKey OLD = TokenMint.shared().key();
    private static final RsaKey NEW = TokenMint.fresh().key();

    private final HttpFixture server = new HttpFixture();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    IssuerKeysIT() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void keepsItsKeysDuringFaultsOfTheDirectory() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofSeconds(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(counted("ok")).isPositive();

            server.behave(text(200, "text/html", "<h1>oops</h1>"));
            await().until(() -> counted("bad") >= 1);
            server.behave(text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed()));
            double keysBefore = counted("bad");
            await().until(() -> counted("bad") > keysBefore);

            await().until(() -> keys.status().get(0).problem().contains("token-keys: none"));
            assertThat(keys.table().knows(OLD.id())).isTrue();
            assertThat(keys.status().get(0).success()).isNotNull();
            assertThat(registry.get("postern.issuer.keys").gauge().value()).isEqualTo(1);

            server.behave(listing(NEW));
            await().until(() -> keys.table().knows(NEW.id()) && !keys.table().knows(OLD.id()));
            await().until(() -> keys.status().get(0).problem().isEmpty());
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
            await().untilAsserted(() -> assertThat(keys.status().get(0).problem())
                    .contains("token-keys: none")
                    .contains("token-keys[0]: "));
            assertThat(counted("bad")).isPositive();
            assertThat(keys.table().knows(OLD.id())).isTrue();
            await().until(() -> registry.get("postern.issuer.skipped").gauge().value() == 2);

            server.behave(listing(NEW));
            await().until(() -> keys.table().knows(NEW.id()));
            await().until(() -> keys.status().get(0).skipped().isEmpty()
                    && registry.get("postern.issuer.skipped").gauge().value() == 0);
        }
    }

    @Test
    void keepsItsKeysWhileTheIssuerIsUnavailable() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofSeconds(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            server.close();

            await().until(() -> counted("failed") >= 2);

            assertThat(keys.table().knows(OLD.id())).isTrue();
        }
    }

    @Test
    void fetchesAtMostOncePerFiveSeconds() throws Exception {
        server.behave(listing(OLD));
        try (IssuerKeys keys = open(Duration.ofHours(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));
            for (int i = 0; i < 100; i++) {
                // The result of a fetch that has just ended is visible to callers that read the keys before it.
                CompletableFuture<Void> none = keys.refetch("issuer.example");
                assertThat(none == null || none.isDone()).isTrue();
            }
            await().until(() -> keys.refetch("issuer.example") == null);
            assertThat(server.requests()).isEqualTo(1);
            server.behave(listing(NEW, OLD));

            await().until(() -> keys.refetch("issuer.example") != null);
            CompletableFuture<Void> fetch = keys.refetch("issuer.example");
            if (fetch != null) {
                fetch.get(10, TimeUnit.SECONDS);
            }

            await().until(() -> keys.table().knows(NEW.id()));
            assertThat(server.requests()).isEqualTo(2);
            assertThat(keys.refetch("unknown.example")).isNull();
        }
    }

    @Test
    void fetchesShortlyBeforeTheMaxAgeEnds() throws Exception {
        server.behave(text(
                200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(entry(OLD)), "Cache-Control", "max-age=7"));
        InstantSource still = new ManualClock(Instant.parse("2026-05-04T03:02:01Z"));
        try (IssuerKeys keys = open(Duration.ofHours(1), still)) {
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
        server.close();
        try (IssuerKeys keys = open(Duration.ofHours(1))) {
            keys.awaitFirst(Duration.ofSeconds(60));

            assertThat(counted("failed")).isEqualTo(1);
            assertThat(keys.table().keys()).isEmpty();
        }
    }

    private IssuerKeys open(Duration refresh) {
        return open(refresh, InstantSource.system());
    }

    private IssuerKeys open(Duration refresh, InstantSource clock) {
        IssuerSettings settings = TestSettings.issuer("issuer.example", server.uri("/directory"), refresh);
        return IssuerKeys.open(
                List.of(settings),
                null,
                Duration.ofSeconds(30),
                new IssuerKeys.Environment(registry, clock, Ticker.systemTicker()));
    }

    private double counted(String result) {
        Counter counter =
                registry.find("postern.issuer.fetches").tag("result", result).counter();
        return counter == null ? 0 : counter.count();
    }

    private static HttpHandler listing(RsaKey... keys) {
        String[] entries = List.of(keys).stream().map(IssuerKeysIT::entry).toArray(String[]::new);
        return text(200, IssuerDirectory.MEDIA_TYPE, IssuerDirectoryTest.listed(entries));
    }

    private static String entry(RsaKey key) {
        return IssuerDirectoryTest.entry(Base64Url.encode(key.encoded()), 0);
    }
}
