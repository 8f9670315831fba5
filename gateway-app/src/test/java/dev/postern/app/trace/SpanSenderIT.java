package dev.postern.app.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.postern.core.metrics.Meters;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests collectors that accept spans, and those that fail in different ways; the collector is a server over a socket. */
class SpanSenderIT {

    /** Much longer than any test: such a wait does not end. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private static final int MAX_IN_FLIGHT = 512;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestOrigin collector = new TestOrigin();

    @AfterEach
    void stop() {
        collector.close();
    }

    private Tracing.SpanSender sender(String address, Duration deadline) {
        return new Tracing.SpanSender(
                new Collector(Collector.uri("http://" + address + "/v1/traces"), Map.of("X-Key", "k"), deadline),
                registry);
    }

    private static void offer(Tracing.SpanSender sender, int spans) {
        for (int i = 1; i <= spans; i++) {
            sender.offer(new CompletedSpanData(
                    SpanContext.create(
                            TraceId.fromLongs(1, 2),
                            SpanId.fromLong(i),
                            TraceFlags.getSampled(),
                            TraceState.getDefault()),
                    SpanContext.getInvalid(),
                    Resource.empty(),
                    SpanKind.SERVER,
                    "GET",
                    1,
                    2,
                    Attributes.empty(),
                    false));
        }
    }

    private int count(String result) {
        return (int) registry.get(Meters.TRACE_SPANS.meter())
                .tag("result", result)
                .counter()
                .count();
    }

    /** Offers spans until the collector, which responds again, has taken one within the deadline: a busy machine may need several. */
    private void assertRecovers(Tracing.SpanSender sender) {
        collector.behave(Behaviour.ok(""));
        await().until(() -> {
            offer(sender, 1);
            return count("sent") > 0;
        });
    }

    private static void silence(TestOrigin origin) {
        origin.behave((request, socket) -> {});
    }

    @Test
    void everySpanArrivesOnce() throws InvalidProtocolBufferException {
        try (Tracing.SpanSender sender = sender(collector.address(), FOR_EVER)) {
            offer(sender, 3000);
        }

        int arrived = 0;
        for (TestOrigin.Received request : collector.received()) {
            assertThat(request.line()).isEqualTo("POST /v1/traces HTTP/1.1");
            assertThat(request.field("Content-Type")).isEqualTo("application/x-protobuf");
            assertThat(request.field("X-Key")).isEqualTo("k");
            arrived += ExportTraceServiceRequest.parseFrom(request.body())
                    .getResourceSpans(0)
                    .getScopeSpans(0)
                    .getSpansCount();
        }
        assertThat(arrived).isEqualTo(3000);
        assertThat(count("sent")).isEqualTo(3000);
        assertThat(count("failed") + count("dropped")).isZero();
    }

    @Test
    @Timeout(120)
    void countsSpansThatAFrozenCollectorDoesNotTake() {
        silence(collector);
        int all = Tracing.SpanSender.QUEUE + MAX_IN_FLIGHT + 1000;
        try (Tracing.SpanSender sender = sender(collector.address(), FOR_EVER)) {
            offer(sender, all);
            assertThat(count("dropped")).isBetween(1000, 1000 + MAX_IN_FLIGHT);
        }

        assertThat(count("sent")).isZero();
        assertThat(count("dropped") + count("failed")).isEqualTo(all);
    }

    @Test
    @Timeout(120)
    void timesOutWithAFrozenCollector() {
        silence(collector);
        try (Tracing.SpanSender sender = sender(collector.address(), Duration.ofMillis(1500))) {
            offer(sender, 3);
            await().until(() -> count("failed") == 3);
            assertRecovers(sender);
        }
    }

    @Test
    @Timeout(120)
    void closeWaitsTwoSecondsForAFrozenCollector() {
        silence(collector);
        Tracing.SpanSender sender = sender(collector.address(), FOR_EVER);
        offer(sender, 3);
        await().until(() -> !collector.received().isEmpty());
        offer(sender, 4);

        sender.close();

        assertThat(count("failed")).isEqualTo(3);
        assertThat(count("dropped")).isEqualTo(4);
    }

    @Test
    @Timeout(120)
    void timesOutWithAnEndlessResponse() {
        collector.behave(Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst"));
        try (Tracing.SpanSender sender = sender(collector.address(), Duration.ofMillis(1500))) {
            offer(sender, 1);
            await().until(() -> count("failed") == 1);
            assertRecovers(sender);
        }
    }

    @Test
    void aRefusalIsAFailure() {
        for (int status : new int[] {301, 400, 429, 503}) {
            collector.behave(Behaviour.raw(
                    "HTTP/1.1 " + status + " No\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"));
            try (Tracing.SpanSender sender = sender(collector.address(), FOR_EVER)) {
                offer(sender, 1);
            }
        }

        assertThat(count("failed")).isEqualTo(4);
        assertThat(collector.received()).hasSize(4);
    }

    @Test
    void anUnreachableCollectorIsAFailure() {
        collector.close();
        try (Tracing.SpanSender sender = sender(collector.address(), FOR_EVER)) {
            offer(sender, 5);
            await().until(() -> count("failed") == 5);
        }
    }
}
