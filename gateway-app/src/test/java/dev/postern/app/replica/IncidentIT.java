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
 * Three bad days, as the live page shows them to somebody who has just been called. {@code -Ddocs.write=true} makes the pictures of {@code
 * docs/failures.md} anew, after a minute of each.
 */
@Tag("browser")
@Tag("long")
class IncidentIT {

    private static final boolean WRITE = Boolean.getBoolean("docs.write");
    private static final Duration LENGTH = Duration.ofSeconds(WRITE ? 75 : 0);

    @TempDir
    private Path folder;

    private HuntGround ground;
    private Browser browser;

    @BeforeEach
    void open() {
        ground = new HuntGround(folder);
        browser = Browser.withScript();
    }

    @AfterEach
    void close() {
        browser.close();
        ground.close();
    }

    /** Visitors of a gateway, who come whatever responses they get; each asks for one page, and some of them pay with a token. */
    private final class Visitors implements AutoCloseable {

        private final GatewayProcess gateway;
        private volatile boolean open = true;
        private CompletableFuture<Void> coming = CompletableFuture.completedFuture(null);

        Visitors(GatewayProcess gateway) {
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
                    ground.origin().received().clear(); // else each request would cost more than the one before
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
        String spoilt = ground.yaml().replace("{name: app, ", "{name: app, pool: {keep-alive: false}, ");
        try (GatewayProcess gateway = started(spoilt, GatewayProcess.Launch.flags(Hunted.HEALTHY));
                Visitors visitors = new Visitors(gateway)) {
            visitors.begin();
            watch(gateway);
            shows("attention", "upstream app.new-connections-per-request");
            shows("upstreams", "app usable 1 of 1 .* 0 %");
            shows("drifts", "pool.keep-alive: (true|false)");
            picture("incident-keep-alive.png");
        }
    }

    @Test
    void everySpendWaitsForADelayedAcknowledgement() throws Exception {
        try (GatewayProcess gateway = started(ground.yaml(), ground.nagle());
                Visitors visitors = new Visitors(gateway)) {
            visitors.begin();
            watch(gateway);
            shows("attention", "ledger .*\\.tcp-no-delay");
            shows("drifts", "40 ms signature");
            shows("stages", "spend ledger [0-9.]+ ms");
            picture("incident-nagle.png");
        }
    }

    @Test
    void memcachedIsDead() throws Exception {
        try (GatewayProcess gateway = started(ground.yaml(), GatewayProcess.Launch.flags(Hunted.HEALTHY));
                Visitors visitors = new Visitors(gateway)) {
            visitors.begin();
            watch(gateway);
            shows("spends", "fresh [1-9]");
            Thread.sleep(LENGTH.toMillis() / 2); // so that the picture has a before
            ground.memcached().kill();
            shows("parts", "ledger\\s+✕ not well");
            shows("refusals", "ledger-unknown");
            shows("spends", "unknown [1-9]");
            picture("incident-memcached.png");
        }
    }

    private GatewayProcess started(String yaml, GatewayProcess.Launch launch) throws IOException {
        return new GatewayProcess(folder, "incident", yaml, launch).awaitReady();
    }

    private void watch(GatewayProcess gateway) {
        browser.look("light", "no-preference").size(1360, 1500, 1);
        browser.open("http://127.0.0.1:" + gateway.admin() + "/");
    }

    private void shows(String part, String subject) {
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
