package dev.postern.auth.testing;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Listener;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Turn;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Policy;
import dev.postern.core.route.Route;
import dev.postern.core.testing.RecordedAnswer;
import dev.postern.core.transport.Cidrs;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An exchange without a socket, and the answer that it got. */
public final class TestExchange {

    public static final Listener REVERSE = new Listener("web", Listener.Mode.REVERSE, "", "", Cidrs.NONE, false);
    public static final Listener FORWARD =
            new Listener("proxy", Listener.Mode.FORWARD, "default", "proxy.example", Cidrs.NONE, false);

    private final RecordedAnswer answer = new RecordedAnswer();
    private final Exchange exchange;

    private TestExchange(Listener listener, Route route, EventLoop loop, RequestHead head) {
        Client client = new Client(listener, loop, InetAddress.getLoopbackAddress(), 40000, false);
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, answer, Turn.NOW);
        exchange = answer.of(
                Policy.of(List.of(route)).rule(new Exchange(client, head, carrier, new Timeline(System.nanoTime()))));
        route.assignTo(exchange);
    }

    /** A GET with these fields: name, value, name, value. */
    public static TestExchange get(Listener listener, Route route, EventLoop loop, String... fields) {
        return of(Method.GET, listener, route, loop, fields);
    }

    public static TestExchange of(Method method, Listener listener, Route route, EventLoop loop, String... fields) {
        RequestHead head =
                new RequestHead().method(method).authority("gateway.example").target("/", "");
        for (int i = 0; i < fields.length; i += 2) {
            head.add(FieldName.of(fields[i]), fields[i + 1]);
        }
        return new TestExchange(listener, route, loop, head);
    }

    /** A route of that name. */
    public static Route route(String name, Route.Token token, @Nullable String rateLimit) {
        return new Route(name, "*", "/", "app", token, rateLimit, Route.Preflight.FORWARD, Duration.ZERO, 0);
    }

    public Exchange exchange() {
        return exchange;
    }

    /** The status of the answer; 0 when there is none yet. */
    public int status() {
        return answer.status();
    }

    public List<String> answered(FieldName name) {
        return answer.values(name);
    }
}
