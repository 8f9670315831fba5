package dev.postern.core.testing;

import dev.postern.core.config.Rate;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http2.Http2ServerConnection;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.loop.DrainState;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Connection of an HTTP/2 client in memory, on a loop whose time the test moves. The test sends the frames and answers the exchanges. */
public final class ServerChannel implements AutoCloseable {

    private final ManualChannel channel = new ManualChannel();
    private final DrainState state = new DrainState();
    private final List<AbuseLimit> exceeded = new ArrayList<>();
    private final FrameClient client = FrameClient.over(channel);

    /** Settings of a connection. */
    public record Setup(
            ConnectionSettings http1,
            Http2Limits http2,
            ReceiveWindows windows,
            ListenerInfo.Mode mode,
            boolean secure) {

        /** Returns the defaults, for a reverse listener without TLS whose windows do not grow. */
        public static Setup usual() {
            return new Setup(
                    TestLimits.CLIENT,
                    KeyDefaults.of(Http2Limits.class),
                    new ReceiveWindows(0, of -> 0),
                    ListenerInfo.Mode.REVERSE,
                    false);
        }

        public Setup http1(ConnectionSettings value) {
            return new Setup(value, http2, windows, mode, secure);
        }

        public Setup http2(Http2Limits value) {
            return new Setup(http1, value, windows, mode, secure);
        }

        /** Returns a copy with other rates of resets by the client and of errors. */
        public Setup rates(Rate resets, Rate errors) {
            return http2(new Http2Limits(
                    http2.maxStreams(),
                    http2.streamWindow(),
                    http2.maxWindow(),
                    http2.headerTable(),
                    http2.maxContinuations(),
                    http2.windowTimeout(),
                    resets,
                    errors,
                    http2.maxControlFrames()));
        }

        public Setup windows(ReceiveWindows value) {
            return new Setup(http1, http2, value, mode, secure);
        }

        public Setup forward() {
            return new Setup(http1, http2, windows, ListenerInfo.Mode.FORWARD, secure);
        }
    }

    public ServerChannel() {
        this(Setup.usual(), false);
    }

    public ServerChannel(Setup setup) {
        this(setup, false);
    }

    /** @param draining whether the process stops already when the connection is accepted */
    public ServerChannel(Setup setup, boolean draining) {
        if (draining) {
            state.begin();
        }
        ListenerInfo listener = new ListenerInfo("web", setup.mode(), "", "", CidrSet.NONE, false);
        ClientConnection from = new ClientConnection(
                listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, setup.secure());
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of());
        channel.pipeline()
                .addLast(new Http2ServerConnection(
                        new Http2ServerConnection.Settings(
                                setup.http1(), setup.http2(), (limit, of) -> exceeded.add(limit), setup.windows()),
                        () -> snapshot,
                        from,
                        state));
    }

    public ManualChannel channel() {
        return channel;
    }

    public DrainState state() {
        return state;
    }

    /** Returns the client, which sends frames. */
    public FrameClient client() {
        return client;
    }

    /** Returns the limits that the client has exceeded. */
    public List<AbuseLimit> exceeded() {
        return exceeded;
    }

    /** Sends preface and settings, acknowledges the gateway's, and drops what the gateway has sent until then. */
    public ServerChannel greet(int... settings) {
        client.greet(settings);
        sent();
        return this;
    }

    /** Has exchanges answered as they arrive, instead of kept for {@link #exchange}. */
    public ServerChannel answer(Consumer<Exchange> answer) {
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                answer.accept((Exchange) message);
            }
        });
        return this;
    }

    /** Returns the next exchange; fails without one. */
    public Exchange exchange() {
        Exchange next = channel.readInbound();
        if (next == null) {
            throw new AssertionError("no exchange (expected: one)");
        }
        return next;
    }

    /** Sends GET, and returns its exchange. */
    public Exchange get(int stream, String... fields) {
        client.get(stream, "/", fields);
        return exchange();
    }

    /** Sends POST, whose body follows, and returns its exchange. */
    public Exchange post(int stream, String... fields) {
        client.post(stream, "/", fields);
        return exchange();
    }

    /** Returns what the gateway has sent since the last call, as {@link FrameText} shows it. */
    public List<String> sent() {
        channel.runPendingTasks();
        return client.arrived().stream().map(FrameText::of).toList();
    }

    public void pass(Duration time) {
        channel.pass(time);
    }

    /** Fires an event into the channel. */
    public void event(Object event) {
        channel.pipeline().fireUserEventTriggered(event);
        channel.runPendingTasks();
    }

    @Override
    public void close() {
        client.close();
    }
}
