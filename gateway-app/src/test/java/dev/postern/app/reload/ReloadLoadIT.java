package dev.postern.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.reload.Reloaded.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests repeated reloads under load: no request fails. {@code -Dchaos.seconds=60} makes the test run longer. */
@Tag("faults")
class ReloadLoadIT {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadLoadIT.class);
    private static final int SECONDS = Integer.getInteger("chaos.seconds", 4);
    private static final int MIN_RELOADS = 10;

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            transport: {event-loops: 2}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            overload: {loop-lag: {shed-above: 0}}
            log: {level: error, successes: 0%}
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["127.0.0.1:1"]}
            rate-limits:
              - {name: wide, rate: 1000000/s, burst: 999999}
              - name: room
                rate: 1000000/s
                burst: 999999
                fair-queue: {active-sessions: 1000}
            routes:
              - {upstream: app, token: off}
            """;

    private final SplittableRandom lots = new SplittableRandom(5);
    private final NamedOrigin one = new NamedOrigin("one");
    private final NamedOrigin two = new NamedOrigin("another");

    @Test
    void noRequestFailsDuringReloads() throws InterruptedException {
        int taken = 0;
        // Read in advance: else the test would spend most of its time reading.
        List<LoadedConfig> good =
                IntStream.range(0, 16).mapToObj(i -> read(settings())).toList();
        LoadedConfig invalid = read(List.of("routes.0.upstream=unknown"));
        LoadedConfig refused = read(List.of("instance.namespace=other"));
        try (Gateway gateway = Gateway.start(read(List.of(endpoints("\"" + one.address() + "\""))));
                PersistentClients clients =
                        new PersistentClients(() -> gateway.listener("web").getPort(), 8, 4)) {
            clients.awaitMore(200);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while ((System.nanoTime() < end || taken <= MIN_RELOADS)
                    && clients.failures().isEmpty()) {
                Reloaded reloaded = gateway.reload(good.get(lots.nextInt(good.size())));
                assertThat(reloaded.problems()).isEmpty();
                taken++;
                if (lots.nextInt(4) == 0) {
                    assertThat(gateway.reload(invalid).result()).isEqualTo(Result.INVALID);
                    assertThat(gateway.reload(refused).result()).isEqualTo(Result.REFUSED);
                }
                clients.awaitMore(lots.nextInt(50));
            }
            clients.awaitMore(50);
            clients.disperse();
            // At the only level that the logging configuration enables.
            LOG.error(
                    "{} reloads, {} responses over {} connections", taken, clients.responses(), clients.connections());
            assertThat(clients.failures()).isEmpty();
        } finally {
            one.close();
            two.close();
        }
        assertThat(taken).isGreaterThan(MIN_RELOADS);
        assertThat(one.requests()).isPositive();
        assertThat(two.requests()).isPositive();
    }

    private static String endpoints(String list) {
        return "upstreams.app.endpoints=[" + list + "]";
    }

    /** Returns random settings in random combination. */
    private List<String> settings() {
        List<String> settings = new ArrayList<>();
        String first = '"' + one.address() + '"';
        String second = '"' + two.address() + '"';
        settings.add(endpoints(List.of(first, second, first + ", " + second).get(lots.nextInt(3))));
        settings.add("upstreams.app.pool.max-connections=" + (500 + lots.nextInt(2)));
        settings.add(List.of(
                        "routes=[{upstream: app, token: off}]",
                        "routes=[{upstream: app, token: off, rate-limit: wide}]",
                        "routes=[{upstream: app, token: off, rate-limit: room}]",
                        "routes=[{path: /other, upstream: app, token: off}, {upstream: app, token: off}]")
                .get(lots.nextInt(4)));
        settings.add("rate-limits.wide.burst=" + (999_999 + lots.nextInt(2)));
        settings.add("rate-limits.room.fair-queue.active-sessions=" + (1000 + lots.nextInt(2)));
        settings.add("limits.pipeline-depth=" + (8 + lots.nextInt(2)));
        settings.add("http2.max-streams=" + (100 + lots.nextInt(2)));
        if (lots.nextInt(3) == 0) {
            settings.add("listeners.web.trusted-proxies=[127.0.0.9]");
        }
        if (lots.nextInt(3) == 0) {
            settings.add("listeners.1={name: more, address: \"127.0.0.1:0\"}");
        }
        return settings;
    }

    private static LoadedConfig read(List<String> settings) {
        return new ConfigReader(Map.of(), settings).read("gateway.yaml", YAML, Path.of(""));
    }
}
