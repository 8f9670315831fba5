package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Trace;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.headers.RequestStart;
import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Line of the exchange log: one exchange as JSON. Defines the logged fields and the values that are never logged. */
final class ExchangeLine {

    private static final StageName[] STAGES = StageName.values();

    private final Set<LogField> fields;
    private final boolean client;
    private final boolean destination;
    private final boolean query;
    private final List<ExtensionLoader.ExtraField> extra;

    ExchangeLine(LogSettings settings) {
        this(settings, List.of());
    }

    /** @param extra fields of extensions */
    ExchangeLine(LogSettings settings, List<ExtensionLoader.ExtraField> extra) {
        List<LogField> wanted = settings.exchanges().fields();
        this.fields = wanted.isEmpty() ? EnumSet.allOf(LogField.class) : EnumSet.copyOf(wanted);
        this.client =
                fields.contains(LogField.CLIENT) && settings.clientAddress() == LogSettings.ClientAddress.TRUNCATED;
        this.destination = settings.destination() == LogSettings.Switch.ON;
        this.query = settings.query() == LogSettings.Switch.ON;
        this.extra = extra;
    }

    String of(Exchange exchange, Instant now) {
        StringBuilder out = new StringBuilder(512).append('{');
        text(out, LogField.TIME, now.toString());
        id(out, exchange);
        text(out, LogField.LISTENER, exchange.client().listener().name());
        trace(out, exchange);
        route(out, exchange);
        request(out, exchange);
        outcome(out, exchange.outcome());
        if (client) {
            ListenerInfo listener = exchange.client().listener();
            text(
                    out,
                    LogField.CLIENT,
                    listener.networks().logged(exchange.clientAddress()).toString());
        }
        before(out, exchange, now);
        times(out, exchange.timeline());
        if (!extra.isEmpty() && fields.contains(LogField.EXTRA)) {
            extra(out, exchange);
        }
        return out.append('}').toString();
    }

    private void id(StringBuilder out, Exchange exchange) {
        @Nullable Field id = exchange.requestId();
        if (id != null) {
            text(out, LogField.ID, id.value());
        }
    }

    /** Adds the trace ids, which connect the line with the spans of the exchange. */
    private void trace(StringBuilder out, Exchange exchange) {
        @Nullable Trace trace = Trace.of(exchange);
        if (trace != null) {
            text(out, LogField.TRACE, trace.own().traceId());
        }
    }

    private void route(StringBuilder out, Exchange exchange) {
        @Nullable Route route = Route.orNull(exchange);
        if (route != null) {
            text(out, LogField.ROUTE, route.name());
        }
    }

    private void request(StringBuilder out, Exchange exchange) {
        RequestHead request = exchange.request();
        boolean reverse = exchange.client().listener().reverse();
        text(out, LogField.METHOD, request.method().name());
        if (reverse || destination) {
            text(out, LogField.HOST, request.authority());
            text(out, LogField.PATH, request.path());
        }
        if (reverse && query) {
            text(out, LogField.QUERY, request.query());
        }
    }

    private void outcome(StringBuilder out, Outcome outcome) {
        number(out, LogField.STATUS, outcome.status());
        @Nullable Refusal refusal = outcome.refusal();
        if (refusal != null) {
            text(out, LogField.CODE, refusal.code());
            text(out, LogField.BLAME, refusal.blame().label());
        }
        if (!outcome.reason().isEmpty()) {
            text(out, LogField.REASON, outcome.reason());
        }
        Outcome.@Nullable Reported reported = outcome.reported();
        if (reported != null) {
            text(out, LogField.WOULD_REFUSE, reported.refusal().code());
            text(out, LogField.WOULD_REFUSE_REASON, reported.reason());
        }
        @Nullable String upstream = outcome.upstream();
        if (upstream != null) {
            text(out, LogField.UPSTREAM, upstream);
            truth(out, LogField.REUSED, outcome.reused());
            number(out, LogField.TRIES, outcome.tries());
        }
        number(out, LogField.BYTES_IN, outcome.bytesIn());
        number(out, LogField.BYTES_OUT, outcome.bytesOut());
        if (outcome.cut()) {
            truth(out, LogField.CUT, true);
        }
    }

    /** Adds the time that the request took from the first trusted proxy that reports it to the gateway. */
    private void before(StringBuilder out, Exchange exchange, Instant now) {
        if (fields.contains(LogField.BEFORE_US)) {
            Instant arrival = now.minusNanos(exchange.timeline().total());
            long micros = RequestStart.beforeMicros(exchange.client(), exchange.request(), arrival);
            if (micros >= 0) {
                number(out, LogField.BEFORE_US, micros);
            }
        }
    }

    /** Adds the times of the stages, whose sum is {@code total-us} except for rounding. */
    private void times(StringBuilder out, Timeline timeline) {
        number(out, LogField.TOTAL_US, timeline.total() / 1000);
        text(out, LogField.SLOWEST, timeline.slowest().label());
        if (!fields.contains(LogField.STAGES_US)) {
            return;
        }
        key(out, LogField.STAGES_US.label()).append('{');
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
        StringBuilder object = new StringBuilder("{");
        for (ExtensionLoader.ExtraField field : extra) {
            @Nullable String value = field.value(exchange);
            if (value != null) {
                quoted(key(object, field.name()), value);
            }
        }
        key(out, LogField.EXTRA.label()).append(object).append('}');
    }

    private void truth(StringBuilder out, LogField field, boolean value) {
        if (fields.contains(field)) {
            key(out, field.label()).append(value);
        }
    }

    private void number(StringBuilder out, LogField field, long value) {
        if (fields.contains(field)) {
            key(out, field.label()).append(value);
        }
    }

    private void text(StringBuilder out, LogField field, String value) {
        if (fields.contains(field)) {
            quoted(key(out, field.label()), value);
        }
    }

    /** Begins a field of the object; a comma precedes all but the first. */
    private static StringBuilder key(StringBuilder out, String name) {
        if (out.length() > 1) {
            out.append(',');
        }
        return out.append('"').append(name).append("\":");
    }

    private static void quoted(StringBuilder out, String value) {
        out.append('"');
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
