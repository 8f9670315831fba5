package dev.postern.app.setting;

import static dev.postern.app.setting.Traced.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the export of spans to the collector, and exchanges while the collector does not respond. */
class CollectorIT {

    private static final String FAILED = "postern_trace_spans_total{result=\"failed\"} ";

    @Test
    void sendsServiceNameAndConfiguredFields(@TempDir Path folder) throws IOException {
        Path fields = Files.writeString(folder.resolve("fields"), "Authorization: Bearer us\nX-Tenant: one\n");
        try (Traced traced =
                Traced.with(Traced.ALL, "tracing.service-name=front", "tracing.headers-file=\"" + fields + "\"")) {
            traced.site.get("/");
            traced.spans(2);
            assertThat(attribute(traced.resource().getAttributesList(), "service.name"))
                    .isEqualTo("front");
            assertThat(attribute(traced.resource().getAttributesList(), "service.version"))
                    .isNotEmpty();
            TestOrigin.Received request = traced.collector.received().get(0);
            assertThat(request.line()).isEqualTo("POST /v1/traces HTTP/1.1");
            assertThat(request.field("Authorization")).isEqualTo("Bearer us");
            assertThat(request.field("X-Tenant")).isEqualTo("one");
        }
    }

    @Test
    void aReloadChangesTheCollector() {
        try (TestOrigin first = new TestOrigin();
                TestOrigin second = new TestOrigin();
                Site site = Site.with()) {
            String endpoint = "tracing.endpoint=\"http://%s/v1/traces\"";
            assertThat(site.get("/").status()).isEqualTo(200);
            site.apply(endpoint.formatted(first.address()), Traced.ALL);
            try (RawClient client = site.client()) {
                client.get("/");
                client.get("/"); // the exchange before has ended
            }
            site.apply(endpoint.formatted(second.address()), Traced.ALL);
            assertThat(first.received()).as("spans that waited").isNotEmpty();
            site.get("/");
            await().until(() -> !second.received().isEmpty());

            site.apply();
            int atFirst = first.received().size();
            int atSecond = second.received().size();
            assertThat(site.get("/").status()).isEqualTo(200);
            site.gateway().close(); // would send what waits
            assertThat(first.received()).hasSize(atFirst);
            assertThat(second.received()).hasSize(atSecond);
        }
    }

    @Test
    @Timeout(60)
    void unavailableCollectorDelaysNoExchange() {
        try (Traced traced = Traced.with(Traced.ALL, "tracing.deadline=1m")) {
            traced.collector.behave((request, socket) -> {}); // frozen
            for (int i = 0; i < 50; i++) {
                assertThat(traced.site.get("/").status()).isEqualTo(200);
            }
            await().until(() -> !traced.collector.received().isEmpty());
            traced.site.gateway().close(); // within the timeout of this test, however long the deadline is
        }
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.collector.close();
            assertThat(traced.site.get("/").status()).isEqualTo(200);
            await().until(() -> traced.site.metrics().contains(FAILED + "2.0\n"));
            assertThat(traced.site.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void deadlineEndsTheWaitForTheCollector() {
        try (Traced patient = Traced.with(Traced.ALL, "tracing.deadline=1m");
                Traced brief = Traced.with(Traced.ALL, "tracing.deadline=10ms")) {
            for (Traced traced : List.of(patient, brief)) {
                traced.collector.behave((request, socket) -> {});
                traced.site.get("/");
            }
            await().until(() -> brief.site.metrics().contains(FAILED + "2.0\n"));
            assertThat(patient.site.metrics()).contains(FAILED + "0.0\n"); // exported first, and still pending
        }
    }
}
