package dev.postern.app.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationLibraryInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Span data created when the exchange was complete, in the form that the SDK exports.
 *
 * @param parent the invalid context for none
 * @param resource of the gateway
 * @param startNanos since 1970, as {@code endNanos}
 * @param failed whether the status of the span is an error
 */
record CompletedSpanData(
        SpanContext context,
        SpanContext parent,
        Resource resource,
        SpanKind kind,
        String name,
        long startNanos,
        long endNanos,
        Attributes attributes,
        boolean failed)
        implements ReadableSpan, SpanData {

    /** Scope shared by all spans: the SDK groups spans by the identity of their scope. */
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("dev.postern");

    @Override
    public SpanData toSpanData() {
        return this;
    }

    @Override
    public SpanContext getSpanContext() {
        return context;
    }

    @Override
    public SpanContext getParentSpanContext() {
        return parent;
    }

    @Override
    public Resource getResource() {
        return resource;
    }

    @Override
    public SpanKind getKind() {
        return kind;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public long getStartEpochNanos() {
        return startNanos;
    }

    @Override
    public long getEndEpochNanos() {
        return endNanos;
    }

    @Override
    public long getLatencyNanos() {
        return endNanos - startNanos;
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public <T> @Nullable T getAttribute(AttributeKey<T> key) {
        return attributes.get(key);
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    public StatusData getStatus() {
        return failed ? StatusData.error() : StatusData.unset();
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    @Deprecated // by the SDK, whose interface still requires it
    public InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return InstrumentationLibraryInfo.create(SCOPE.getName(), null);
    }
}
