package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.Test;

/** Tests that a scrape contains the meters of the JVM and of Netty, and none of what is not there. */
class BindersTest {

    private static final String CLOSED = "resilience4j_circuitbreaker_state{name=\"%s\",state=\"closed\"} %s\n";

    @Test
    void exportsMetersOfTheJvmAndNetty() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.metrics())
                    .contains(
                            "\njvm_memory_used_bytes{",
                            "\njvm_memory_max_bytes{",
                            "\njvm_buffer_memory_used_bytes{",
                            "\njvm_gc_overhead ",
                            "\njvm_gc_memory_allocated_bytes_total ",
                            "\njvm_threads_states_threads{",
                            "\nprocess_cpu_usage ",
                            "\nprocess_files_open_files ",
                            "\nprocess_uptime_seconds ",
                            "\nsystem_cpu_usage ",
                            "\nnetty_eventexecutor_tasks_pending{",
                            "\nnetty_allocator_memory_used{",
                            "\ncache_size{cache=\"challenges\"} ",
                            "\ncache_size{cache=\"challenges-by-network\"} ")
                    .doesNotContain("\nlettuce_", "\nresilience4j_", "spends-known");
        }
    }

    @Test
    void exportsTimesOfExchangesAndUpstreams() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.get("/").status()).isEqualTo(200);

            assertThat(site.metrics())
                    .contains(
                            "\npostern_exchange_duration_seconds_bucket{route=\"*/\",upstream=\"app\",le=\"0.005\"} 1\n",
                            "\npostern_exchange_duration_seconds_bucket{route=\"*/\",upstream=\"app\",le=\"60.0\"} 1\n",
                            "\npostern_exchange_duration_seconds_count{route=\"*/\",upstream=\"app\"} 1\n",
                            "\npostern_upstream_first_byte_seconds_count{response=\"ok\",upstream=\"app\"} 1\n",
                            "\npostern_upstream_first_byte_seconds_count{response=\"5xx\",upstream=\"app\"} 0\n");
        }
    }

    @Test
    void exportsTheFingerprintOfTheKeyRing() {
        try (MemorySite site = MemorySite.with()) {
            assertThat(site.metrics()).containsPattern("\npostern_ring\\{fingerprint=\"[0-9a-f]{8}\",use=\"signs\"} 1");
            assertThat(site.admin("/context").body()).containsPattern("\"[0-9a-f]{8} signs\"");
        }
    }

    @Test
    void removesMetersOfARemovedBreaker() {
        try (MemorySite site = MemorySite.with("upstreams.app.breaker={enabled: true}")) {
            assertThat(site.metrics()).contains(CLOSED.formatted("upstream app", "1.0"));

            RawClient.Response response = site.get("/");
            site.reload("upstreams.app.breaker={enabled: false}");

            assertThat(response.status()).isEqualTo(200);
            assertThat(site.metrics()).doesNotContain("resilience4j_");
        }
    }
}
