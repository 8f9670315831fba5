package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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

/** A real Prometheus watches gateways that are visited, and is asked everything that dashboards and rules ask. */
@Tag("prometheus")
class PrometheusIT {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private Watched gateways;
    private Prometheus prometheus;

    @BeforeEach
    void open() throws IOException {
        gateways = new Watched(folder, MEMCACHED.address(), REDIS.address());
        prometheus = new Prometheus(folder, gateways.admins());
    }

    @AfterEach
    void close() {
        prometheus.close();
        gateways.close();
    }

    @Test
    void everyQuestionOfPanelsAndAlertsHasAResponse() {
        List<Query> questions = Boards.queries(Prometheus.RATE).stream()
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

    @Test
    void everyAlertIsEvaluated() {
        Awaitility.await()
                .atMost(LONGEST)
                .untilAsserted(() -> assertThat(prometheus.rules())
                        .hasSameSizeAs(Boards.alerts())
                        .extracting(rule -> rule.path("health").asString(""))
                        .containsOnly("ok"));
    }
}
