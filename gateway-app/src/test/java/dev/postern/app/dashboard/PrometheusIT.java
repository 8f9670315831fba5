package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs all queries of dashboards and rules on a real Prometheus that scrapes gateways under load. */
@Tag("prometheus")
class PrometheusIT {

    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration DRAWN = Duration.ofSeconds(60);

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private MonitoredGateways gateways;
    private Prometheus prometheus;

    @BeforeEach
    void open() throws IOException {
        gateways = new MonitoredGateways(folder, MEMCACHED.address(), REDIS.address());
        prometheus = new Prometheus(folder, gateways.admins());
    }

    @AfterEach
    void close() {
        prometheus.close();
        gateways.close();
    }

    @Test
    void everyQueryOfPanelsAndAlertsReturnsData() {
        List<Query> questions = DashboardFiles.queries(Prometheus.RATE).stream()
                .flatMap(query -> Stream.concat(Stream.of(query), query.parts().stream()))
                .distinct()
                .toList();
        assertThat(questions).hasSizeGreaterThan(200);

        List<Query> unanswered = new ArrayList<>(questions);
        Awaitility.await().atMost(LONGEST).untilAsserted(() -> {
            gateways.visit();
            unanswered.removeIf(prometheus::responses);
            assertThat(unanswered).isEmpty();
        });
    }

    /** Visits for as long as the axis of a drawing, in the middle of it with a pause. */
    @Test
    void everyPanelHasSomethingToDraw() throws IOException {
        Instant start = Instant.now();
        Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            long seconds = Duration.between(start, Instant.now()).toSeconds();
            if (seconds < DRAWN.toSeconds() / 3 || seconds > DRAWN.toSeconds() / 2) {
                gateways.visit();
            }
            assertThat(seconds).isGreaterThan(DRAWN.toSeconds());
        });
        List<String> blank = new DrawnDashboards(
                        prometheus, start.getEpochSecond(), Instant.now().getEpochSecond())
                .write();
        assertThat(blank).isEmpty();
    }

    @Test
    void everyAlertIsEvaluated() {
        Awaitility.await()
                .atMost(LONGEST)
                .untilAsserted(() -> assertThat(prometheus.rules())
                        .hasSameSizeAs(DashboardFiles.alerts())
                        .extracting(rule -> rule.path("health").asString(""))
                        .containsOnly("ok"));
    }
}
