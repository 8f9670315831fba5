package dev.postern.app.trace;

import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.FailureText;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exporter that sends batches through the SDK's exporter, once each, and counts their results. For one thread, which waits for the
 * collector for the deadline at most.
 */
final class CountingExporter implements SpanExporter {

    private static final Logger LOG = LoggerFactory.getLogger(CountingExporter.class);

    private final Collector collector;
    private final IntConsumer taken;
    private final Counter sent;
    private final Counter failed;
    private final Counter dropped;
    private final SpanExporter exporter;

    /**
     * Logger of the SDK, switched off because it would log every failed batch. Kept in a field, because the JDK references loggers weakly.
     */
    private final java.util.logging.Logger library = java.util.logging.Logger.getLogger("io.opentelemetry");

    private volatile CompletableResultCode underway = CompletableResultCode.ofSuccess();
    private volatile boolean stopped;
    private boolean absent;

    /** @param taken receives the number of spans of each batch before it is sent */
    CountingExporter(Collector collector, MeterRegistry registry, IntConsumer taken) {
        this.collector = collector;
        this.taken = taken;
        this.sent = Meters.TRACE_SPANS.counter(registry, "sent");
        this.failed = Meters.TRACE_SPANS.counter(registry, "failed");
        this.dropped = Meters.TRACE_SPANS.counter(registry, "dropped");
        library.setLevel(Level.OFF);
        this.exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(collector.uri().toString())
                .setHeaders(collector::fields)
                .setTimeout(collector.deadline())
                .setConnectTimeout(collector.deadline())
                .setRetryPolicy(null)
                .setMeterProvider(MeterProvider.noop())
                .build();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        taken.accept(spans.size());
        if (stopped) {
            dropped.increment(spans.size());
            return CompletableResultCode.ofFailure();
        }
        CompletableResultCode result = exporter.export(spans);
        underway = result;
        if (stopped) { // stop() may have run meanwhile and failed an older result
            result.fail();
        }
        // The exporter's own deadline covers the head of the response only; the body has no limit.
        result.join(collector.deadline().toNanos(), TimeUnit.NANOSECONDS);
        boolean success = result.isSuccess();
        (success ? sent : failed).increment(spans.size());
        if (!stopped) {
            complete(success, result);
        }
        return result;
    }

    private void complete(boolean success, CompletableResultCode result) {
        if (!success && !absent) {
            LOG.warn("the collector of traces accepts no spans: {}", fault(result.getFailureThrowable()));
        } else if (success && absent) {
            LOG.info("the collector of traces accepts spans again");
        }
        absent = !success;
    }

    private String fault(@Nullable Throwable failure) {
        if (failure == null) {
            return "no response within " + collector.deadline().toMillis() + " ms";
        } else if (failure instanceof HttpExportException responded && responded.getResponse() != null) {
            return "status " + responded.getResponse().getStatusCode();
        }
        Throwable cause = failure.getCause();
        return FailureText.of(cause == null ? failure : cause);
    }

    /** Stops waiting for the collector, now and for later batches. */
    void stop() {
        stopped = true;
        underway.fail();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
