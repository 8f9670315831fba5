package dev.postern.auth.testing;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.TestRoute;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Exchange without a socket, and its response. */
public final class TestExchange {

    public static final ListenerInfo REVERSE =
            new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
    public static final ListenerInfo FORWARD =
            new ListenerInfo("proxy", ListenerInfo.Mode.FORWARD, "default", "proxy.example", CidrSet.NONE, false);

    private final RecordedResponse response = new RecordedResponse();
    private final Exchange exchange;

    private TestExchange(ListenerInfo listener, Route route, EventLoop loop, RequestHead head) {
        ClientConnection client = new ClientConnection(listener, loop, InetAddress.getLoopbackAddress(), 40000, false);
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW);
        exchange = response.of(RoutingSnapshot.of(List.of(route))
                .rule(new Exchange(client, head, carrier, new Timeline(loop.ticker()))));
        route.assignTo(exchange);
    }

    /** Creates a GET with these fields: name, value, name, value. */
    public static TestExchange get(ListenerInfo listener, Route route, EventLoop loop, String... fields) {
        return of(Method.GET, listener, route, loop, fields);
    }

    public static TestExchange of(Method method, ListenerInfo listener, Route route, EventLoop loop, String... fields) {
        RequestHead head =
                new RequestHead().method(method).authority("gateway.example").target("/", "");
        for (int i = 0; i < fields.length; i += 2) {
            head.add(FieldName.of(fields[i]), fields[i + 1]);
        }
        return new TestExchange(listener, route, loop, head);
    }

    /** Creates a route of that name. */
    public static Route route(String name, Route.Token token, @Nullable String rateLimit) {
        return TestRoute.of(name, "*", "/", "app", token, rateLimit, Preflight.FORWARD, Duration.ZERO, 0);
    }

    public Exchange exchange() {
        return exchange;
    }

    /** Returns the status of the response; 0 before it. */
    public int status() {
        return response.status();
    }

    public List<String> responded(FieldName name) {
        return response.values(name);
    }
}
