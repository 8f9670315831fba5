package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.browser.Browser;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what the live page shows during three incidents. {@code -Ddocs.write=true} writes the pictures of {@code docs/failures.md}, after a
 * minute of each.
 */
@Tag("browser")
@Tag("long")
class IncidentIT {

    private static final boolean WRITE = Boolean.getBoolean("docs.write");
    private static final Duration LENGTH = Duration.ofSeconds(WRITE ? 75 : 0);

    @TempDir
    private Path folder;

    private ObservedEnvironment environment;
    private Browser browser;

    @BeforeEach
    void open() {
        environment = new ObservedEnvironment(folder);
        browser = Browser.withScript();
    }

    @AfterEach
    void close() {
        browser.close();
        environment.close();
    }

    /** Clients of a gateway that continue after every response; each requests one page, and some of them pay with a token. */
    private final class Clients implements AutoCloseable {

        private final GatewayProcess gateway;
        private volatile boolean open = true;
        private CompletableFuture<Void> coming = CompletableFuture.completedFuture(null);

        Clients(GatewayProcess gateway) {
            this.gateway = gateway;
        }

        void begin() {
            coming = CompletableFuture.runAsync(this::come);
        }

        private void come() {
            try (RawClient client = new RawClient(gateway.port())) {
                while (open) {
                    for (int i = 0; i < 20; i++) {
                        client.get("/open");
                    }
                    String token = Replicas.freshToken(gateway.port());
                    client.send(Replicas.redeeming(token)).read();
                    environment.origin().received().clear(); // else each request would cost more than the previous one
                }
            }
        }

        @Override
        public void close() {
            open = false;
            coming.join();
        }
    }

    @Test
    void everyRequestOpensAConnection() throws Exception {
        String spoilt = environment.yaml().replace("{name: app, ", "{name: app, pool: {keep-alive: false}, ");
        try (GatewayProcess gateway = started(spoilt, GatewayProcess.Launch.flags(ObservedGateway.HEALTHY));
                Clients clients = new Clients(gateway)) {
            clients.begin();
            watch(gateway);
            assertShown("attention", "upstream app.new-connections-per-request");
            assertShown("upstreams", "app usable 1 of 1 .* 0 %");
            assertShown("drifts", "pool.keep-alive: (true|false)");
            picture("incident-keep-alive.png");
        }
    }

    @Test
    void everySpendWaitsForADelayedAcknowledgement() throws Exception {
        try (GatewayProcess gateway = started(environment.yaml(), environment.nagle());
                Clients clients = new Clients(gateway)) {
            clients.begin();
            watch(gateway);
            assertShown("attention", "ledger .*\\.tcp-no-delay");
            assertShown("drifts", "40 ms signature");
            assertShown("stages", "spend ledger [0-9.]+ ms");
            picture("incident-nagle.png");
        }
    }

    @Test
    void memcachedIsDead() throws Exception {
        try (GatewayProcess gateway =
                        started(environment.yaml(), GatewayProcess.Launch.flags(ObservedGateway.HEALTHY));
                Clients clients = new Clients(gateway)) {
            clients.begin();
            watch(gateway);
            assertShown("spends", "fresh [1-9]");
            Thread.sleep(LENGTH.toMillis() / 2); // so that the picture shows the time before
            environment.memcached().kill();
            assertShown("parts", "ledger\\s+✕ unhealthy");
            assertShown("refusals", "ledger-unknown");
            assertShown("spends", "unknown [1-9]");
            picture("incident-memcached.png");
        }
    }

    private GatewayProcess started(String yaml, GatewayProcess.Launch launch) throws IOException {
        return new GatewayProcess(folder, "incident", yaml, launch).awaitReady();
    }

    private void watch(GatewayProcess gateway) {
        browser.prefer("light", "no-preference").size(1360, 1500, 1);
        browser.open("http://127.0.0.1:" + gateway.admin() + "/");
    }

    private void assertShown(String part, String subject) {
        Pattern wanted = Pattern.compile(subject, Pattern.DOTALL);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(browser.text(part)).containsPattern(wanted));
    }

    private void picture(String name) throws IOException, InterruptedException {
        Thread.sleep(LENGTH.toMillis());
        byte[] picture = browser.picture();
        assertThat(picture).as(name).hasSizeBetween(10_000, 400_000);
        assertThat(browser.console()).isEmpty();
        if (WRITE) {
            Files.write(Path.of("..", "docs", name), picture);
        }
    }
}
