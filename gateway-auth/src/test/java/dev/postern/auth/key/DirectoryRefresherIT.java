package dev.postern.auth.key;

import static dev.postern.auth.testing.HttpFixture.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.HttpFixture;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a feed that is fetched only on request: its freshness, and when it is fetched next. */
class DirectoryRefresherIT {

    private static final String NAME = "issuer.example:8443";
    private static final RsaKey KEY = TokenMint.shared().key();

    private final HttpFixture server = new HttpFixture();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path folder;

    DirectoryRefresherIT() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void keepsTheFreshnessAfterA304WithoutDirectives() throws Exception {
        server.behave(exchange -> {
            if (exchange.getRequestHeaders().getFirst("If-None-Match") != null) {
                send(exchange, 304, new byte[0]);
            } else {
                exchange.getResponseHeaders().set("ETag", "\"v1\"");
                exchange.getResponseHeaders().set("Cache-Control", "max-age=600");
                IssuerOutageIT.listing(KEY).handle(exchange);
            }
        });
        feed(refresher -> {
            refresher.start().get(10, TimeUnit.SECONDS);
            refresher.start().get(10, TimeUnit.SECONDS);

            assertThat(unchanged()).isEqualTo(1);
            assertThat(refresher.report().success()).isNotNull();
            assertThat(refresher.report().freshUntil())
                    .isEqualTo(refresher.report().success().plusSeconds(600));
        });
    }

    @Test
    void schedulesOneNextFetch() throws Exception {
        server.behave(IssuerOutageIT.listing(KEY));
        ScheduledThreadPoolExecutor thread = feed(refresher -> {
            for (int i = 0; i < 5; i++) {
                refresher.start().get(10, TimeUnit.SECONDS);
            }
            assertThat(server.requests()).isEqualTo(5);
        });
        assertThat(thread.getQueue()).hasSize(1);
        thread.shutdownNow();
    }

    /** An unknown key, or an operator, means that the copy of a cache on the way may be old. */
    @Test
    void asksCachesForTheCurrentDirectoryOnRequest() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        server.behave(exchange -> {
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cache-Control")));
            IssuerOutageIT.listing(KEY).handle(exchange);
        });
        ScheduledThreadPoolExecutor thread = feed(refresher -> {
            CompletableFuture<Void> requested = refresher.refetch();
            assertThat(requested).isNotNull();
            requested.get(10, TimeUnit.SECONDS);
            refresher.start().get(10, TimeUnit.SECONDS);

            assertThat(asked).containsExactly("no-cache", "null");
        });
        thread.shutdownNow();
    }

    @FunctionalInterface
    private interface Use {

        void of(DirectoryRefresher refresher) throws Exception;
    }

    /** Uses a feed that is fetched only on request; the caller shuts the executor down. */
    private ScheduledThreadPoolExecutor feed(Use use) throws Exception {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);
        thread.setRemoveOnCancelPolicy(true);
        IssuerSettings settings = TestSettings.issuer(NAME, server.uri("/directory"), Duration.ofHours(1));
        try (DirectoryClient client = new DirectoryClient(InstantSource.system(), null)) {
            use.of(new DirectoryRefresher(
                    settings,
                    server.uri("/directory"),
                    new IssuerKeyState(NAME, Duration.ZERO, List.of()),
                    new DirectoryRefresher.Dependencies(
                            client,
                            new KeyDiskCache(folder),
                            thread,
                            InstantSource.system(),
                            Ticker.systemTicker(),
                            registry,
                            () -> {})));
        }
        return thread;
    }

    private double unchanged() {
        return registry.get("postern.issuer.fetches")
                .tag("result", "unchanged")
                .counter()
                .count();
    }
}
