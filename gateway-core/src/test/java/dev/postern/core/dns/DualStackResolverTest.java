package dev.postern.core.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.DefaultHostsFileEntriesResolver;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the resolution delay with two resolvers that respond when the test says so, and the time of an embedded channel. */
class DualStackResolverTest {

    private static final InetSocketAddress NAME = InetSocketAddress.createUnresolved("name.example", 443);
    private static final String V4 = "192.31.196.1";
    private static final String V6 = "2001:200::1";

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Promise<List<InetAddress>> ipv4 = channel.eventLoop().newPromise();
    private final Promise<List<InetAddress>> ipv6 = channel.eventLoop().newPromise();
    private final DualStackResolver resolver = new DualStackResolver(
            channel.eventLoop(),
            resolver(ipv4),
            resolver(ipv6),
            new DefaultHostsFileEntriesResolver(),
            Duration.ofMillis(50));

    DualStackResolverTest() {
        channel.freezeTime();
    }

    private AddressResolver<InetSocketAddress> resolver(Promise<List<InetAddress>> response) {
        return new InetNameResolver(channel.eventLoop()) {
            @Override
            protected void doResolve(String name, Promise<InetAddress> promise) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                response.addListener((Future<List<InetAddress>> done) -> {
                    if (done.isSuccess()) {
                        promise.setSuccess(done.getNow());
                    } else {
                        promise.setFailure(done.cause());
                    }
                });
            }
        }.asAddressResolver();
    }

    private static List<InetAddress> addresses(String... literals) {
        List<InetAddress> all = new ArrayList<>();
        for (String literal : literals) {
            all.add(NetUtil.createInetAddressFromIpAddressString(literal));
        }
        return all;
    }

    private Future<List<InetSocketAddress>> lookUp() {
        return resolver.resolveAll(NAME);
    }

    private void respond(Promise<List<InetAddress>> family, String... literals) {
        family.setSuccess(addresses(literals));
        channel.runPendingTasks();
    }

    private void fail(Promise<List<InetAddress>> family, String message) {
        family.setFailure(new UnknownHostException(message));
        channel.runPendingTasks();
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    private void assertFound(Future<List<InetSocketAddress>> lookup, String... literals) {
        assertThat(found(lookup))
                .isEqualTo(addresses(literals).stream()
                        .map(address -> new InetSocketAddress(address, 443))
                        .toList());
        assertThat(channel.runScheduledPendingTasks()).as("no timer").isEqualTo(-1);
    }

    private static @Nullable List<InetSocketAddress> found(Future<List<InetSocketAddress>> lookup) {
        return lookup.isSuccess() ? lookup.getNow() : null;
    }

    @Test
    void findsBothFamiliesInOneOrder() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        respond(ipv6, V6, "2001:200::2");
        assertThat(lookup.isDone()).isFalse();
        respond(ipv4, V4, "192.31.196.2");
        assertFound(lookup, V4, "192.31.196.2", V6, "2001:200::2");
    }

    @Test
    void findsThemInTheSameOrderWhenIpv4IsFirst() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        respond(ipv4, V4);
        respond(ipv6, V6);
        assertFound(lookup, V4, V6);
    }

    @Test
    void waitsForTheOtherFamilyNoLongerThanTheDelay() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        pass(1_000);
        respond(ipv4, V4);
        pass(49);
        assertThat(lookup.isDone()).isFalse();
        pass(1);
        assertFound(lookup, V4);
    }

    @Test
    void waitsAsLongForIpv4() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        respond(ipv6, V6);
        pass(49);
        assertThat(lookup.isDone()).isFalse();
        respond(ipv4, V4);
        assertFound(lookup, V4, V6);
    }

    @Test
    void usesNoAddressThatArrivesLater() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        respond(ipv6, V6);
        pass(50);
        respond(ipv4, V4);
        assertFound(lookup, V6);
    }

    @Test
    void waitsWithoutDelayWhenOneFamilyDoesNotExist() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        fail(ipv6, "none");
        pass(4_000);
        assertThat(lookup.isDone()).isFalse();
        respond(ipv4, V4);
        assertFound(lookup, V4);
    }

    @Test
    void endsAtOnceWhenTheOtherFamilyDoesNotExist() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        respond(ipv4, V4);
        fail(ipv6, "none");
        assertFound(lookup, V4);
    }

    @Test
    void failsWhenNeitherFamilyExists() {
        Future<List<InetSocketAddress>> lookup = lookUp();
        fail(ipv6, "first");
        assertThat(lookup.isDone()).isFalse();
        fail(ipv4, "second");
        assertThat(lookup.cause()).isInstanceOf(UnknownHostException.class).hasMessage("first");
    }

    @Test
    void resolvesToTheFirstOfAll() {
        Future<InetSocketAddress> lookup = resolver.resolve(NAME);
        respond(ipv6, V6);
        respond(ipv4, V4);
        assertThat(lookup.getNow()).isEqualTo(new InetSocketAddress(V4, 443));
    }

    @Test
    void resolvesLiteralsAtOnce() {
        Future<List<InetSocketAddress>> lookup = resolver.resolveAll(InetSocketAddress.createUnresolved(V6, 443));
        assertFound(lookup, V6);
    }

    @Test
    void resolvesNamesOfTheHostsFileAtOnce() {
        Future<List<InetSocketAddress>> lookup =
                resolver.resolveAll(InetSocketAddress.createUnresolved("localhost", 443));
        assertThat(lookup.getNow())
                .isNotEmpty()
                .allMatch(found -> found.getAddress().isLoopbackAddress());
    }
}
