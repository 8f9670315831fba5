package dev.postern.core.route;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.testing.RecordedResponse;
import io.netty.util.concurrent.Ticker;
import org.jspecify.annotations.Nullable;

/** Exchange of a request that a test describes, matched against a snapshot. */
final class MatchedExchange {

    private final RecordedResponse response = new RecordedResponse();
    private final Exchange exchange;
    private final RouteMatch.Result result;

    /** @param forward name of the forward policy of the listener; empty for a reverse listener */
    MatchedExchange(RequestHead head, String forward, RoutingSnapshot snapshot) {
        ListenerInfo.Mode mode = forward.isEmpty() ? ListenerInfo.Mode.REVERSE : ListenerInfo.Mode.FORWARD;
        ListenerInfo listener = new ListenerInfo("web", mode, forward, "", CidrSet.NONE, false);
        ClientConnection client = new ClientConnection(
                listener, TestExchanges.UNTRUSTED.loop(), TestExchanges.address("192.0.2.7"), 4711, false);
        exchange = response.of(snapshot.rule(new Exchange(
                client,
                head,
                new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                new Timeline(Ticker.newMockTicker()))));
        result = RouteMatch.of(exchange);
    }

    /** Creates a head, with the path as its normal form. */
    static RequestHead head(String method, String authority, String path, String... fields) {
        RequestHead head =
                new RequestHead().method(Method.of(method)).authority(authority).target(path, "");
        for (String field : fields) {
            int colon = field.indexOf(':');
            head.add(FieldName.of(field.substring(0, colon)), field.substring(colon + 1));
        }
        return head;
    }

    /** Returns the code of the refusal, the status of the gateway's own response, or the name of the route. */
    String result() {
        if (result.refusal() != null) {
            return result.refusal().code();
        }
        @Nullable InternalEndpoint endpoint = result.endpoint();
        if (endpoint != null) {
            endpoint.serve(exchange);
            return Integer.toString(response.status());
        }
        return Route.of(exchange).name();
    }

    Exchange exchange() {
        return exchange;
    }

    RecordedResponse response() {
        return response;
    }
}
