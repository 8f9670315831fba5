package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.FakeConnection;
import dev.postern.core.upstream.connect.FakeLoops;
import dev.postern.core.upstream.connect.FakeOpener;
import dev.postern.core.upstream.connect.FakeStream;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.EndpointSet;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pools of one upstream, one for each event loop, over connections that a test opens, uses and ends. Connections have numbers from 1, in the
 * order of their connects; endpoints are {@code server-0:80}, {@code server-1:80} and so on.
 */
final class PoolFixture implements Permits.Listener {

    private final FakeLoops loops = new FakeLoops();
    private final FakeOpener opener = new FakeOpener(loops);
    private final Map<Integer, FakeStream> streams = new HashMap<>();
    private final Map<Integer, FakeConnection> connections = new HashMap<>();
    private final PoolState state;
    private final List<ConnectionPool> pools;

    PoolFixture(UpstreamSettings settings, int endpoints, int loops, boolean multiplexed) {
        List<Endpoint> servers = IntStream.range(0, endpoints)
                .mapToObj(i -> new Endpoint(
                        InetSocketAddress.createUnresolved("server-" + i, 80),
                        1,
                        new EndpointHealth(settings.health())))
                .toList();
        state = new PoolState(settings, EndpointSet.of(servers, settings.balance()), new UpstreamStats(), this);
        pools = IntStream.range(0, loops)
                .mapToObj(i -> pool(this.loops.loop(), multiplexed))
                .toList();
    }

    private ConnectionPool pool(EventLoop loop, boolean multiplexed) {
        return multiplexed
                ? new Http2ConnectionPool(state, opener, this::http2, loop)
                : new Http1ConnectionPool(state, opener, this::http1, loop);
    }

    private UpstreamStream http1(Channel channel, UpstreamStream.Owner owner) {
        int number = opener.number(channel);
        FakeStream stream = new FakeStream("#" + number, owner, channel);
        streams.put(number, stream);
        return stream;
    }

    private UpstreamConnection http2(Channel channel, UpstreamConnection.Owner owner, UpstreamConnection.Terms terms) {
        int number = opener.number(channel);
        FakeConnection connection = new FakeConnection("#" + number, channel, owner, terms);
        connections.put(number, connection);
        return connection;
    }

    // ---- exchanges

    /** Lets an exchange ask the pool of the first loop. */
    FakeWaiter ask() {
        return ask(new FakeWaiter());
    }

    List<FakeWaiter> ask(int exchanges) {
        return IntStream.range(0, exchanges).mapToObj(i -> ask()).toList();
    }

    FakeWaiter ask(FakeWaiter waiter) {
        return ask(waiter, 0, null);
    }

    FakeWaiter ask(FakeWaiter waiter, int loop, @Nullable Endpoint avoid) {
        pool(loop).acquire(waiter, avoid, loops.now());
        run();
        return waiter;
    }

    /** Lets an exchange give up what it waits for, on the first loop. */
    void leave(FakeWaiter waiter) {
        pool(0).leave(waiter);
        run();
    }

    /** Ends the exchange of a waiter; its connection stays usable. */
    void finish(FakeWaiter... waiters) {
        for (FakeWaiter waiter : waiters) {
            waiter.stream().finish();
            run();
        }
    }

    // ---- connections

    /** Completes a connect of HTTP/1.1. */
    FakeStream open(int number) {
        accept(number);
        return stream(number);
    }

    /** Completes a connect of TCP. */
    void accept(int number) {
        opener.attempt(number).succeed();
        run();
    }

    void refuse(int number) {
        refuse(number, new ConnectException("refused"));
    }

    void refuse(int number, Throwable cause) {
        opener.attempt(number).fail(cause);
        run();
    }

    FakeStream stream(int number) {
        return Objects.requireNonNull(streams.get(number), "connected");
    }

    /** Completes a connect of HTTP/2, up to the upstream's SETTINGS. */
    FakeConnection open(int number, int allowedStreams) {
        accept(number);
        FakeConnection connection = connection(number);
        connection.ready(allowedStreams);
        run();
        return connection;
    }

    FakeConnection connection(int number) {
        return Objects.requireNonNull(connections.get(number), "connected");
    }

    void lose(FakeConnection connection) {
        connection.lose(Refusal.UPSTREAM_CLOSED);
        run();
    }

    void lose(FakeStream stream) {
        stream.lose();
        run();
    }

    // ---- what a test reads

    PoolState state() {
        return state;
    }

    ConnectionPool pool(int loop) {
        return pools.get(loop);
    }

    FakeOpener opener() {
        return opener;
    }

    Endpoint endpoint(int number) {
        return state.endpoints().all().get(number);
    }

    long now() {
        return loops.now();
    }

    /** Returns how many connects were begun. */
    int connects() {
        return opener.count();
    }

    /** Returns open connections, idle ones among them, and waiters in the queue, as {@code 2 open, 1 idle, 0 queued}. */
    String counts() {
        int idle = pools.stream().mapToInt(ConnectionPool::idle).sum();
        return state.permits().open() + " open, " + idle + " idle, "
                + state.permits().pending() + " queued";
    }

    void run() {
        loops.run();
    }

    void pass(Duration time) {
        loops.pass(time);
    }

    // ---- the pools hear of each other

    @Override
    public void permitWanted() {
        pools.forEach(ConnectionPool::permitWanted);
    }

    @Override
    public void permitReturned() {
        pools.forEach(ConnectionPool::permitReturned);
    }

    @Override
    public void placeWanted() {
        pools.forEach(ConnectionPool::placeWanted);
    }

    @Override
    public void report(PreemptionRounds.Round round) {
        round.expect(pools.size());
        pools.forEach(pool -> pool.report(round));
    }
}
