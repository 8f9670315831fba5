package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.ManualThread;
import dev.postern.auth.testing.MemoryHttp;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a feed that is fetched only on request: its freshness, and when it is fetched next. */
class DirectoryRefresherTest {

    private static final String NAME = "issuer.example:8443";
    private static final RsaKey KEY = TokenMint.shared().key();

    private final MemoryHttp server = new MemoryHttp();
    private final ManualThread thread = new ManualThread(Instant.parse("2026-05-04T03:02:01Z"));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path folder;

    @Test
    void keepsTheFreshnessAfterA304WithoutDirectives() throws Exception {
        server.behave(exchange -> {
            if (exchange.getRequestHeaders().getFirst("If-None-Match") != null) {
                send(exchange, 304, new byte[0]);
            } else {
                exchange.getResponseHeaders().set("ETag", "\"v1\"");
                exchange.getResponseHeaders().set("Cache-Control", "max-age=600");
                IssuerOutageTest.listing(KEY).handle(exchange);
            }
        });
        feed(refresher -> {
            fetch(refresher.start());
            fetch(refresher.start());

            assertThat(unchanged()).isEqualTo(1);
            assertThat(refresher.report().success()).isNotNull();
            assertThat(refresher.report().freshUntil())
                    .isEqualTo(refresher.report().success().plusSeconds(600));
        });
    }

    @Test
    void schedulesOneNextFetch() throws Exception {
        server.behave(IssuerOutageTest.listing(KEY));
        feed(refresher -> {
            for (int i = 0; i < 5; i++) {
                fetch(refresher.start());
            }
            assertThat(server.requests()).isEqualTo(5);
        });
        assertThat(thread.waiting()).isEqualTo(1);
    }

    /** An unknown key, or an operator, means that the copy of a cache on the way may be old. */
    @Test
    void asksCachesForTheCurrentDirectoryOnRequest() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        server.behave(exchange -> {
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cache-Control")));
            IssuerOutageTest.listing(KEY).handle(exchange);
        });
        feed(refresher -> {
            CompletableFuture<Void> requested = refresher.refetch();
            assertThat(requested).isNotNull();
            fetch(requested);
            fetch(refresher.start());

            assertThat(asked).containsExactly("no-cache", "null");
        });
    }

    @FunctionalInterface
    private interface Use {

        void of(DirectoryRefresher refresher) throws Exception;
    }

    private void fetch(CompletableFuture<Void> begun) {
        thread.run();
        assertThat(begun).isCompleted();
    }

    /** Uses a feed that is fetched only on request. */
    private void feed(Use use) throws Exception {
        IssuerSettings settings = TestSettings.issuer(NAME, server.uri("/directory"), Duration.ofHours(1));
        try (DirectoryClient client = new DirectoryClient(
                new BoundedHttpClient(1024 * 1024, Duration.ofSeconds(5), threads -> server), thread.clock())) {
            use.of(new DirectoryRefresher(
                    settings,
                    server.uri("/directory"),
                    new IssuerKeyState(NAME, Duration.ZERO, List.of()),
                    new DirectoryRefresher.Dependencies(
                            client,
                            new KeyDiskCache(folder),
                            thread,
                            thread.clock(),
                            thread.ticker(),
                            registry,
                            () -> {})));
        }
    }

    private double unchanged() {
        return registry.get("postern.issuer.fetches")
                .tag("result", "unchanged")
                .counter()
                .count();
    }
}
