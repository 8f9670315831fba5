package dev.postern.app.trace;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Trace;
import dev.postern.core.metrics.Meters;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageSlot;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tracing of exchanges: selects exchanges at their head and sends their spans to the collector after their end. The settings can change: the
 * spans of an exchange go to the collector in force at its end. Thread-safe.
 */
public final class Tracing implements Exchange.EndListener, AutoCloseable {

    private final StageSlot stage =
            new StageSlot(StageName.RECEIVE, exchange -> current().stage());
    private final String version;
    private final MeterRegistry registry;
    private final InstantSource clock;
    private final Export none;
    private volatile Export current;

    /** Creates tracing without a collector: it does nothing until other settings are {@linkplain #take taken}. */
    public Tracing(String version, MeterRegistry registry, InstantSource clock) {
        this.version = version;
        this.registry = registry;
        this.clock = clock;
        ExchangeStage pass = stage.adopt(new ExchangeStage(StageName.RECEIVE) {
            @Override
            protected void onExchange(Exchange exchange) {
                skip(exchange);
            }
        });
        this.none = new Export(null, null, pass, null);
        this.current = none;
    }

    /** Export by one configuration: which exchanges are traced, and where their spans go. */
    public static final class Export {

        private final @Nullable TraceSettings settings;
        private final @Nullable Collector collector;
        private final ExchangeStage stage;
        private final @Nullable Spans spans;

        private Export(
                @Nullable TraceSettings settings,
                @Nullable Collector collector,
                ExchangeStage stage,
                @Nullable Spans spans) {
            this.settings = settings;
            this.collector = collector;
            this.stage = stage;
            this.spans = spans;
        }

        private ExchangeStage stage() {
            return stage;
        }

        private void close() {
            if (spans != null) {
                spans.sender().close();
            }
        }
    }

    private record Spans(ExchangeSpans maker, SpanSender sender) {}

    private Export current() {
        return current;
    }

    /**
     * Prepares the export by a configuration; the one in force, if nothing has changed. Either {@link #take} or {@link #drop} follows.
     *
     * @param collector null for no traces
     */
    public Export prepare(TraceSettings settings, @Nullable Collector collector) {
        Export running = current;
        if (Objects.equals(collector, running.collector) && (collector == null || settings.equals(running.settings))) {
            return running;
        }
        if (collector == null) {
            return none;
        }
        SecureRandom seeds = new SecureRandom();
        ExchangeSpans maker = new ExchangeSpans(Resource.create(Attributes.of(
                stringKey("service.name"), settings.serviceName(), stringKey("service.version"), version)));
        return new Export(
                settings,
                collector,
                stage.adopt(new TraceStage(
                        settings.trustParent(),
                        new TraceSampler(settings.sample().fraction(), seeds::nextLong))),
                new Spans(maker, new SpanSender(collector, registry)));
    }

    /** Puts an export into force, and sends the queued spans of the one before to its collector; waits two seconds at most. */
    public void take(Export next) {
        Export before = current;
        if (next != before) {
            current = next;
            before.close();
        }
    }

    /** Drops an export that does not come into force. */
    public void drop(Export next) {
        if (next != current) {
            next.close();
        }
    }

    /** Returns the stage that follows the log stage. */
    public ExchangeStage stage() {
        return stage;
    }

    @Override
    public void ended(Exchange exchange) {
        Spans spans = current.spans;
        Trace trace = spans == null ? null : Trace.of(exchange);
        if (spans != null && trace != null) {
            // Created here, because the head of an exchange is reused once the exchange has ended.
            long startNanos = sinceEpoch(clock.instant())
                    - (exchange.now() - exchange.timeline().startNanos());
            spans.maker().of(exchange, trace, startNanos).forEach(spans.sender()::offer);
        }
    }

    private static long sinceEpoch(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /** Sends the queued spans and ends; waits two seconds at most. */
    @Override
    public void close() {
        current.close();
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
