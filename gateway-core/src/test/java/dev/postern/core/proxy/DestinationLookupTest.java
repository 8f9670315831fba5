package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.testing.MemoryNames;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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
    private final Promise<List<InetAddress>> found = channel.eventLoop().newPromise();
    private final OutboundSockets sockets = new OutboundSockets(2);
    private final ForwardPolicy policy = ForwardFixture.policy(List.of("443"), List.of());
    private final Exchange exchange = exchange();

    private static EmbeddedChannel frozen() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        return channel;
    }

    private Exchange exchange() {
        return ForwardFixture.exchange(channel.eventLoop(), new RequestHead().method(Method.CONNECT), policy, response);
    }

    /** Passes on what the test finds, when it finds it. */
    private void resolve(String name, Promise<List<InetAddress>> promise) {
        found.addListener(done -> {
            if (done.isSuccess()) {
                promise.setSuccess(found.getNow());
            } else {
                promise.setFailure(done.cause());
            }
        });
    }

    private void lookUp() {
        new DestinationLookup(new MemoryNames(this::resolve), ForwardFixture.destinations(own -> false), sockets)
                .find(exchange, policy, new Destination("slow.example", 443, false), connected::addAll);
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private void respond() throws UnknownHostException {
        found.setSuccess(List.of(InetAddress.getByAddress(new byte[] {(byte) 192, 31, (byte) 196, 1})));
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
        respond();
        assertThat(connected).hasSize(1);
        assertThat(channel.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
        pass(TIMEOUT);
        assertThat(response.status()).isZero();
    }

    @Test
    void connectsNothingAfterTheTimeout() throws UnknownHostException {
        lookUp();
        pass(TIMEOUT);
        respond();
        assertThat(connected).isEmpty();
        assertThat(response.status()).isEqualTo(504);
    }

    @Test
    void connectsNothingAfterTheEndOfTheExchange() throws UnknownHostException {
        lookUp();
        exchange.end();
        assertThat(channel.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
        respond();
        assertThat(connected).isEmpty();
        assertThat(response.status()).isZero();
    }

    @Test
    void holdsSocketsUntilTheLookUpIsOver() throws UnknownHostException {
        lookUp();
        assertThat(sockets.open()).isEqualTo(2);
        pass(TIMEOUT);
        assertThat(sockets.open()).as("its queries may be under way").isEqualTo(2);
        respond();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void refusesWithoutSockets() {
        sockets.max(1);
        lookUp();
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.OVERLOADED);
        assertThat(exchange.outcome().reason()).isEqualTo("descriptors");
        assertThat(sockets.open()).isZero();
    }

    @Test
    void refusesANameThatDoesNotExist() {
        lookUp();
        found.setFailure(new UnknownHostException("slow.example"));
        channel.runPendingTasks();
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.DESTINATION_UNRESOLVED);
        assertThat(connected).isEmpty();
    }
}
