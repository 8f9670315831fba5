package dev.postern.app.trace;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sender of spans: passes them to the SDK's processor, which collects batches and sends them on a thread of its own. No event loop waits:
 * spans beyond the queue's capacity are dropped and counted. Thread-safe.
 */
final class SpanSender implements AutoCloseable {

    static final int QUEUE = 8192;

    private static final int BATCH = 512;
    private static final Duration GATHER = Duration.ofSeconds(1);
    private static final long CLOSE_MILLIS = 1500;
    private static final long REST_MILLIS = 500;

    private final CountingExporter exporter;
    private final BatchSpanProcessor processor;
    private final Counter dropped;

    /** Number of queued spans. The processor reports drops only to its own meters, so it never gets more spans than its queue can take. */
    private final AtomicInteger waiting = new AtomicInteger();

    SpanSender(Collector collector, MeterRegistry registry) {
        this.dropped = Meters.TRACE_SPANS.counter(registry, "dropped");
        this.exporter = new CountingExporter(collector, registry, taken -> waiting.addAndGet(-taken));
        this.processor = BatchSpanProcessor.builder(exporter)
                .setMaxQueueSize(QUEUE)
                .setMaxExportBatchSize(BATCH)
                .setScheduleDelay(GATHER)
                .setExporterTimeout(collector.deadline())
                .build();
    }

    /** Queues a span; from any thread, never blocks. */
    void offer(CompletedSpanData data) {
        if (waiting.incrementAndGet() > QUEUE) {
            waiting.decrementAndGet();
            dropped.increment();
        } else {
            processor.onEnd(data);
        }
    }

    /** Sends the queued spans and ends; waits two seconds at most. */
    @Override
    public void close() {
        CompletableResultCode done = processor.shutdown().join(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        exporter.stop();
        done.join(REST_MILLIS, TimeUnit.MILLISECONDS);
        dropped.increment(waiting.getAndSet(0));
    }
}
