package dev.postern.app.trace;

import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spans of a completed exchange, with the names of OpenTelemetry's HTTP conventions where these exist. Defines which values spans contain:
 * neither token nor nonce, address, path, query, host, destination, user agent or any other field.
 */
final class ExchangeSpans {

    private static final StageName[] STAGES = StageName.values();
    private static final int FIRST_ERROR = 500;
    private static final int FIRST_CLIENT_ERROR = 400;

    private final Resource resource;

    /** @param resource of the gateway */
    ExchangeSpans(Resource resource) {
        this.resource = resource;
    }

    /**
     * Returns the span of the exchange and, if a request was sent to the upstream, a child span of that request.
     *
     * @param startNanos begin of the exchange, since 1970
     */
    List<CompletedSpanData> of(Exchange exchange, Trace trace, long startNanos) {
        List<CompletedSpanData> spans = new ArrayList<>(2);
        long endNanos = startNanos + exchange.timeline().total();
        spans.add(server(exchange, trace, startNanos, endNanos));
        Outcome outcome = exchange.outcome();
        String upstream = outcome.upstream();
        if (upstream != null && (outcome.forwarded() || exchange.timeline().nanos(StageName.CONNECT) > 0)) {
            spans.add(client(exchange, trace, upstream, endNanos));
        }
        return spans;
    }

    private CompletedSpanData server(Exchange exchange, Trace trace, long startNanos, long endNanos) {
        Outcome outcome = exchange.outcome();
        RequestHead request = exchange.request();
        Route route = Route.orNull(exchange);
        Timeline timeline = exchange.timeline();
        AttributesBuilder attributes = Attributes.builder();
        attributes.put("http.request.method", method(request));
        if (route != null) {
            attributes.put("http.route", route.name());
        }
        if (outcome.status() > 0) {
            attributes.put("http.response.status_code", outcome.status());
        }
        attributes.put("url.scheme", exchange.clientScheme());
        attributes.put("network.protocol.version", version(request));
        attributes.put("postern.listener", exchange.client().listener().name());
        Field id = exchange.requestId();
        if (id != null) {
            attributes.put("postern.request.id", id.value());
        }
        judgement(attributes, exchange);
        attributes.put("postern.slowest", timeline.slowest().label());
        stages(attributes, timeline, StageName.RECEIVE, StageName.SEND);
        boolean failed = failed(attributes, outcome, FIRST_ERROR);
        String name = name(request) + (route == null ? "" : " " + route.name());
        return new CompletedSpanData(
                context(trace.own()),
                parent(trace),
                resource,
                SpanKind.SERVER,
                name,
                startNanos,
                endNanos,
                attributes.build(),
                failed);
    }

    /** Adds the gateway's decision. */
    private static void judgement(AttributesBuilder attributes, Exchange exchange) {
        Outcome outcome = exchange.outcome();
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            attributes.put("postern.refusal", refusal.code());
        }
        if (!outcome.reason().isEmpty()) {
            attributes.put("postern.reason", outcome.reason());
        }
        Outcome.Reported reported = outcome.reported();
        if (reported != null) {
            attributes.put("postern.would-refuse", reported.refusal().code());
        }
        Credential credential = exchange.credential();
        if (credential != null) {
            attributes.put("postern.token.spent", credential.spent());
        }
    }

    private CompletedSpanData client(Exchange exchange, Trace trace, String upstream, long endNanos) {
        Outcome outcome = exchange.outcome();
        Timeline timeline = exchange.timeline();
        long duration =
                timeline.nanos(StageName.CONNECT) + timeline.nanos(StageName.RESPOND) + timeline.nanos(StageName.SEND);
        AttributesBuilder attributes = Attributes.builder();
        attributes.put("http.request.method", method(exchange.request()));
        attributes.put("peer.service", upstream);
        if (outcome.refusal() == null && outcome.status() > 0) {
            attributes.put("http.response.status_code", outcome.status());
        }
        if (outcome.tries() > 1) {
            attributes.put("http.request.resend_count", outcome.tries() - 1);
        }
        attributes.put("postern.reused", outcome.reused());
        stages(attributes, timeline, StageName.CONNECT, StageName.SEND);
        boolean failed = failed(attributes, outcome, FIRST_CLIENT_ERROR);
        String name = name(exchange.request()) + ' ' + upstream;
        return new CompletedSpanData(
                context(trace.upstream()),
                context(trace.own()),
                resource,
                SpanKind.CLIENT,
                name,
                endNanos - duration,
                endNanos,
                attributes.build(),
                failed);
    }

    private static SpanContext context(TraceContext of) {
        return SpanContext.create(of.traceId(), of.spanId(), flags(of), TraceState.getDefault());
    }

    private static SpanContext parent(Trace trace) {
        if (trace.parent() == 0) {
            return SpanContext.getInvalid();
        }
        TraceContext parent = trace.own().with(trace.parent());
        return SpanContext.createFromRemoteParent(
                parent.traceId(), parent.spanId(), flags(parent), TraceState.getDefault());
    }

    private static TraceFlags flags(TraceContext of) {
        return TraceFlags.fromByte((byte) of.flags());
    }

    /** Adds the times of the stages by their documented names; stages that took no time are left out. */
    private static void stages(AttributesBuilder attributes, Timeline timeline, StageName first, StageName last) {
        for (int i = first.ordinal(); i <= last.ordinal(); i++) {
            long nanos = timeline.nanos(STAGES[i]);
            if (nanos > 0) {
                attributes.put("postern.stage." + STAGES[i].label(), nanos / 1e9);
            }
        }
    }

    /** @param firstError the lowest status that is an error on that side of the request */
    private static boolean failed(AttributesBuilder attributes, Outcome outcome, int firstError) {
        String error = error(outcome, firstError);
        if (error != null) {
            attributes.put("error.type", error);
        }
        return error != null;
    }

    private static @Nullable String error(Outcome outcome, int firstError) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            return outcome.status() >= firstError ? refusal.code() : null;
        }
        if (outcome.cut() || outcome.status() == 0) {
            return "cut";
        }
        return outcome.status() >= firstError ? Integer.toString(outcome.status()) : null;
    }

    /** Returns the method. Unknown methods are replaced, since they may be any text. */
    private static String method(RequestHead request) {
        return request.method().known() ? request.method().name() : "_OTHER";
    }

    private static String name(RequestHead request) {
        return request.method().known() ? request.method().name() : "HTTP";
    }

    private static String version(RequestHead request) {
        return request.majorVersion() > 1 ? Integer.toString(request.majorVersion()) : "1." + request.minorVersion();
    }
}
