package dev.postern.app.trace;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.metrics.Meters;
import dev.postern.core.pipeline.ExchangeStage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Tracing of exchanges: selects exchanges at their head and sends their spans to the collector after their end. Thread-safe. */
public final class Tracing implements Exchange.EndListener, AutoCloseable {

    private final ExchangeStage stage;
    private final ExchangeSpans spans;
    private final SpanSender sender;
    private final InstantSource clock;

    public Tracing(
            TraceSettings settings, Collector collector, String version, MeterRegistry registry, InstantSource clock) {
        SecureRandom seeds = new SecureRandom();
        this.stage = new TraceStage(
                settings.trustParent(), new TraceSampler(settings.sample().fraction(), seeds::nextLong));
        this.spans = new ExchangeSpans(Resource.create(Attributes.of(
                stringKey("service.name"), settings.serviceName(), stringKey("service.version"), version)));
        this.sender = new SpanSender(collector, registry);
        this.clock = clock;
    }

    /** Returns the stage that follows the log stage. */
    public ExchangeStage stage() {
        return stage;
    }

    @Override
    public void ended(Exchange exchange) {
        Trace trace = Trace.of(exchange);
        if (trace != null) {
            // Created here, because the head of an exchange is reused once the exchange has ended.
            long startNanos = sinceEpoch(clock.instant())
                    - (exchange.now() - exchange.timeline().startNanos());
            spans.of(exchange, trace, startNanos).forEach(sender::offer);
        }
    }

    private static long sinceEpoch(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /** Sends the queued spans and ends; waits two seconds at most. */
    @Override
    public void close() {
        sender.close();
    }

    /**
     * Sender of spans: passes them to the SDK's processor, which collects batches and sends them on a thread of its own. No event loop waits:
     * spans beyond the queue's capacity are dropped and counted. Thread-safe.
     */
    static final class SpanSender implements AutoCloseable {

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
}
