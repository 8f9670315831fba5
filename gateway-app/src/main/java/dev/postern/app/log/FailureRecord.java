package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.upstream.Upstream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Record of one failed exchange without data about the client: names of fields, but only values that identify no person; neither query nor
 * address; no destination of forward exchanges.
 */
final class FailureRecord {

    /** Fields whose values are shown. Any other field may contain a credential. */
    private static final List<FieldName> SHOWN = List.of(
            FieldName.ACCEPT,
            FieldName.CACHE_CONTROL,
            FieldName.CONNECTION,
            FieldName.CONTENT_LENGTH,
            FieldName.CONTENT_TYPE,
            FieldName.EXPECT,
            FieldName.HOST,
            FieldName.KEEP_ALIVE,
            FieldName.MAX_FORWARDS,
            FieldName.SEC_FETCH_DEST,
            FieldName.SEC_FETCH_MODE,
            FieldName.TE,
            FieldName.TRAILER,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE);

    private FailureRecord() {}

    /** Returns the record in reading order. The record keeps no reference to the exchange. */
    static Map<String, Object> of(Exchange exchange, Refusal refusal, Instant now) {
        Outcome outcome = exchange.outcome();
        Map<String, Object> received = new LinkedHashMap<>();
        received.put("time", now.toString());
        received.put("id", exchange.requestIdText());
        received.put("status", outcome.status());
        received.put("code", refusal.code());
        received.put("blame", refusal.blame().label());
        received.put("reason", outcome.reason());
        received.put("listener", exchange.client().listener().name());
        Route route = Route.orNull(exchange);
        received.put("route", route == null ? "" : route.name());
        received.put("request", request(exchange));
        received.put("forwarded", outcome.forwarded());
        received.put("tries", outcome.tries());
        received.put("bytes-in", outcome.bytesIn());
        Timeline timeline = exchange.timeline();
        received.put("total-us", timeline.total() / 1000);
        received.put("slowest", timeline.slowest().label());
        received.put("stages-us", stages(timeline));
        Upstream upstream =
                route == null ? null : RoutingSnapshot.of(exchange).upstreams().named(route.upstream(exchange));
        if (upstream != null) {
            received.put("upstream", upstream(upstream));
        }
        return received;
    }

    private static Map<String, Object> request(Exchange exchange) {
        RequestHead head = exchange.request();
        boolean reverse = exchange.client().listener().reverse();
        Map<String, Object> received = new LinkedHashMap<>();
        received.put("method", head.method().name());
        received.put("version", head.majorVersion() + "." + head.minorVersion());
        if (reverse) {
            received.put("path", head.path());
        }
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                boolean destination = !reverse && head.named(i, FieldName.HOST);
                fields.add(field(head, i, !destination && shown(head, i)));
            }
        }
        received.put("fields", fields);
        return received;
    }

    private static boolean shown(RequestHead head, int index) {
        return SHOWN.stream().anyMatch(name -> head.named(index, name));
    }

    private static String field(RequestHead head, int index, boolean shown) {
        return head.nameAt(index) + ": " + (shown ? head.valueAt(index) : "(" + head.valueLength(index) + " bytes)");
    }

    private static Map<String, Long> stages(Timeline timeline) {
        Map<String, Long> micros = new LinkedHashMap<>();
        for (StageName stage : StageName.values()) {
            micros.put(stage.label(), timeline.nanos(stage) / 1000);
        }
        return micros;
    }

    private static Map<String, Object> upstream(Upstream upstream) {
        Upstream.State state = upstream.state();
        Map<String, Object> received = new LinkedHashMap<>();
        received.put("name", upstream.name());
        received.put("connections-open", state.open());
        received.put("connections-idle", state.idle());
        received.put("connections-most", upstream.settings().pool().maxConnections());
        received.put("waiting", state.traffic().waiting());
        received.put("servers", state.servers());
        received.put("servers-usable", state.usable());
        received.put("breaker", state.breaker());
        return received;
    }
}
