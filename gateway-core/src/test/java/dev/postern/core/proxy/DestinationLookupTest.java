package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.PortSet;
import dev.postern.core.route.Route;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.transport.CidrSet;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the time limit of look-ups with a name server that responds when the test says so, and the time of an embedded channel. */
class DestinationLookupTest {

    private static final long TIMEOUT = DestinationLookup.TIMEOUT.toMillis();

    private final EmbeddedChannel channel = frozen();
    private final RecordedResponse response = new RecordedResponse();
    private final List<InetSocketAddress> connected = new ArrayList<>();
    private final Promise<List<InetAddress>> answer = channel.eventLoop().newPromise();
    private final Exchange exchange = exchange();

    private static EmbeddedChannel frozen() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        return channel;
    }

    /** Name server that passes on the answer of the test. */
    private final class HeldAnswers extends AddressResolverGroup<InetSocketAddress> {

        @Override
        public AddressResolver<InetSocketAddress> getResolver(EventExecutor executor) {
            return newResolver(executor); // an embedded loop has no end that a resolver could wait for
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new InetNameResolver(executor) {
                @Override
                protected void doResolve(String name, Promise<InetAddress> promise) {
                    throw new UnsupportedOperationException();
                }

                @Override
                protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                    answer.addListener(done -> {
                        if (done.isSuccess()) {
                            promise.setSuccess(answer.getNow());
                        } else {
                            promise.setFailure(done.cause());
                        }
                    });
                }
            }.asAddressResolver();
        }
    }

    private Exchange exchange() {
        ListenerInfo listener = new ListenerInfo("out", ListenerInfo.Mode.FORWARD, "default", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        RequestHead head = new RequestHead().method(Method.CONNECT);
        return response.of(new Exchange(
                client, head, new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW), new Timeline(0)));
    }

    private void lookUp() {
        Route route = new Route(
                "forward:default", "*", "/", "", Route.Token.OFF, null, Route.Preflight.REFUSE, Duration.ZERO, 0);
        ForwardPolicy policy = new ForwardPolicy(
                route,
                PortSet.of(List.of("443")),
                List.of("*"),
                CidrSet.NONE,
                ForwardPolicy.Tunnel.DEFAULTS,
                ForwardPolicy.Udp.DEFAULTS);
        new DestinationLookup(new HeldAnswers(), address -> false)
                .find(exchange, policy, new Destination("slow.example", 443, false), connected::addAll);
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private void answer() throws UnknownHostException {
        answer.setSuccess(List.of(InetAddress.getByAddress(new byte[] {(byte) 192, 31, (byte) 196, 1})));
        channel.runPendingTasks();
    }

    @Test
    void refusesWhenTheNameServerStalls() {
        lookUp();
        pass(TIMEOUT - 1);
        assertThat(response.status()).isZero();
        pass(1);
        assertThat(response.status()).isEqualTo(504);
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.DESTINATION_LOOKUP_TIMEOUT);
        assertThat(response.value(FieldName.PROXY_STATUS)).contains("dns_timeout");
        assertThat(connected).isEmpty();
    }

    @Test
    void connectsWithinTheTimeAndKeepsNoTimer() throws UnknownHostException {
        lookUp();
        pass(TIMEOUT - 1);
        answer();
        assertThat(connected).hasSize(1);
        assertThat(channel.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
        pass(TIMEOUT);
        assertThat(response.status()).isZero();
    }

    @Test
    void connectsNothingAfterTheTimeout() throws UnknownHostException {
        lookUp();
        pass(TIMEOUT);
        answer();
        assertThat(connected).isEmpty();
        assertThat(response.status()).isEqualTo(504);
    }

    @Test
    void connectsNothingAfterTheEndOfTheExchange() throws UnknownHostException {
        lookUp();
        exchange.end();
        assertThat(channel.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
        answer();
        assertThat(connected).isEmpty();
        assertThat(response.status()).isZero();
    }

    @Test
    void refusesANameThatDoesNotExist() {
        lookUp();
        answer.setFailure(new UnknownHostException("slow.example"));
        channel.runPendingTasks();
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.DESTINATION_UNRESOLVED);
        assertThat(connected).isEmpty();
    }
}
