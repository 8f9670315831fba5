package dev.postern.app.trace;

import dev.postern.app.trace.TraceSettings.TrustParent;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.pipeline.ExchangeStage;
import org.jspecify.annotations.Nullable;

/**
 * Stage that decides at the head of an exchange whether it is traced. On reverse listeners the stage removes trace fields of clients that
 * are not trusted, before any other stage reads them; on forward listeners these fields belong to client and destination and stay.
 */
final class TraceStage extends ExchangeStage {

    /** Length of tracestate that every proxy must propagate (W3C Trace Context, section 3.3.1.5); longer values may be removed. */
    private static final int LONGEST_STATE = 512;

    private final TrustParent trust;
    private final TraceSampler sampler;

    TraceStage(TrustParent trust, TraceSampler sampler) {
        super(StageName.RECEIVE);
        this.trust = trust;
        this.sampler = sampler;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        TraceContext parent =
                exchange.client().listener().reverse() ? parent(exchange.client(), exchange.request()) : null;
        Trace trace = sampler.of(parent, exchange.loop());
        if (trace != null) {
            trace.take(exchange);
        }
        skip(exchange);
    }

    private @Nullable TraceContext parent(ClientConnection client, RequestHead request) {
        TraceContext parent = trusted(client, request) ? read(request) : null;
        if (parent == null) {
            request.remove(FieldName.TRACEPARENT);
        }
        if (parent == null || stateLength(request) > LONGEST_STATE) {
            request.remove(FieldName.TRACESTATE);
        }
        return parent;
    }

    private boolean trusted(ClientConnection client, RequestHead request) {
        return request.has(FieldName.TRACEPARENT)
                && switch (trust) {
                    case TRUSTED -> client.trusted();
                    case ALL -> true;
                    case NONE -> false;
                };
    }

    /** Reads traceparent; null if there are several, since their meaning is undefined. */
    private static @Nullable TraceContext read(RequestHead request) {
        String value = request.value(FieldName.TRACEPARENT);
        return value == null || request.occurrences(FieldName.TRACEPARENT) > 1 ? null : TraceContext.parse(value);
    }

    private static int stateLength(RequestHead request) {
        int length = 0;
        for (int i = request.next(FieldName.TRACESTATE, 0); i >= 0; i = request.next(FieldName.TRACESTATE, i + 1)) {
            length += request.valueLength(i);
        }
        return length;
    }
}
