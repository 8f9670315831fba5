package dev.postern.app.trace;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.pipeline.ExchangeStage;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

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
}
