package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Trace;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Line of the exchange log: one exchange as JSON. Defines the logged fields and the values that are never logged. */
final class ExchangeLine {

    private static final StageName[] STAGES = StageName.values();

    private final boolean client;
    private final boolean destination;
    private final boolean query;
    private final List<ExtensionLoader.ExtraField> extra;

    ExchangeLine(LogSettings settings) {
        this(settings, List.of());
    }

    /** @param extra fields of extensions */
    ExchangeLine(LogSettings settings, List<ExtensionLoader.ExtraField> extra) {
        this.client = settings.clientAddress() == LogSettings.ClientAddress.TRUNCATED;
        this.destination = settings.destination() == LogSettings.Switch.ON;
        this.query = settings.query() == LogSettings.Switch.ON;
        this.extra = extra;
    }

    String of(Exchange exchange, Instant now) {
        StringBuilder out = new StringBuilder(512).append('{');
        text(out, "time", now.toString());
        id(out, exchange);
        text(out, "listener", exchange.client().listener().name());
        trace(out, exchange);
        route(out, exchange);
        request(out, exchange);
        outcome(out, exchange.outcome());
        if (client) {
            ListenerInfo listener = exchange.client().listener();
            text(
                    out,
                    "client",
                    listener.networks().logged(exchange.clientAddress()).toString());
        }
        times(out, exchange.timeline());
        if (!extra.isEmpty()) {
            extra(out, exchange);
        }
        return out.append('}').toString();
    }

    private static void id(StringBuilder out, Exchange exchange) {
        @Nullable Field id = exchange.requestId();
        if (id != null) {
            text(out, "id", id.value());
        }
    }

    /** Adds the trace ids, which connect the line with the spans of the exchange. */
    private static void trace(StringBuilder out, Exchange exchange) {
        @Nullable Trace trace = Trace.of(exchange);
        if (trace != null) {
            text(out, "trace", trace.own().traceId());
        }
    }

    private static void route(StringBuilder out, Exchange exchange) {
        @Nullable Route route = Route.orNull(exchange);
        if (route != null) {
            text(out, "route", route.name());
        }
    }

    private void request(StringBuilder out, Exchange exchange) {
        RequestHead request = exchange.request();
        boolean reverse = exchange.client().listener().reverse();
        text(out, "method", request.method().name());
        if (reverse || destination) {
            text(out, "host", request.authority());
            text(out, "path", request.path());
        }
        if (reverse && query) {
            text(out, "query", request.query());
        }
    }

    private static void outcome(StringBuilder out, Outcome outcome) {
        number(out, "status", outcome.status());
        @Nullable Refusal refusal = outcome.refusal();
        if (refusal != null) {
            text(out, "code", refusal.code());
            text(out, "blame", refusal.blame().label());
        }
        if (!outcome.reason().isEmpty()) {
            text(out, "reason", outcome.reason());
        }
        Outcome.@Nullable Reported reported = outcome.reported();
        if (reported != null) {
            text(out, "would-refuse", reported.refusal().code());
            text(out, "would-refuse-reason", reported.reason());
        }
        @Nullable String upstream = outcome.upstream();
        if (upstream != null) {
            text(out, "upstream", upstream);
            out.append(",\"reused\":").append(outcome.reused());
            number(out, "tries", outcome.tries());
        }
        number(out, "bytes-in", outcome.bytesIn());
        number(out, "bytes-out", outcome.bytesOut());
        if (outcome.cut()) {
            out.append(",\"cut\":true");
        }
    }

    /** Adds the times of the stages, whose sum is {@code total-us} except for rounding. */
    private static void times(StringBuilder out, Timeline timeline) {
        number(out, "total-us", timeline.total() / 1000);
        text(out, "slowest", timeline.slowest().label());
        out.append(",\"stages-us\":{");
        boolean first = true;
        for (StageName stage : STAGES) {
            long micros = timeline.nanos(stage) / 1000;
            if (micros > 0) {
                out.append(first ? "\"" : ",\"")
                        .append(stage.label())
                        .append("\":")
                        .append(micros);
                first = false;
            }
        }
        out.append('}');
    }

    /** Adds the fields of extensions in an object of their own, so that their names cannot collide with ours. */
    private void extra(StringBuilder out, Exchange exchange) {
        StringBuilder fields = new StringBuilder("{");
        for (ExtensionLoader.ExtraField field : extra) {
            @Nullable String value = field.value(exchange);
            if (value != null) {
                text(fields, field.name(), value);
            }
        }
        out.append(",\"extra\":").append(fields).append('}');
    }

    private static void number(StringBuilder out, String key, long value) {
        out.append(",\"").append(key).append("\":").append(value);
    }

    private static void text(StringBuilder out, String key, String value) {
        if (out.length() > 1) {
            out.append(',');
        }
        out.append('"').append(key).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
