package dev.postern.core.http2.window;

import dev.postern.core.transport.ReceiveWindows;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Flow control of received data whose windows grow by {@link WindowGrowth}, within the {@link ReceiveWindows} of the process (docs/adr/0041).
 *
 * <p>Towards clients the window of the connection bounds what is held of all its bodies, so the budget counts that window, and streams
 * share it. Towards upstreams the window of the connection opens by itself and each stream holds its own, so the budget counts the windows
 * of the streams. Event loop only.
 */
public final class GrowingFlowController extends DefaultHttp2LocalFlowController {

    /**
     * Share of a window below which it is refilled. Netty's default is a half: a peer then has little more than half of its window in
     * flight, so a window that is the limit would hardly show it.
     */
    private static final float REFILLED_BELOW = 0.875f;

    /** Round-trip times are read from the kernel no more often than this. */
    private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Part of the first connection window that a stream may have without growth: the rest is for other streams when it stalls. */
    private static final int FIRST_SHARE = 4;

    private final Http2Connection connection;
    private final Http2Connection.PropertyKey growthKey;
    private final ReceiveWindows windows;
    private final Ticker ticker;
    private final boolean shared;
    private @Nullable WindowGrowth all;
    private @Nullable Channel channel;
    private int largest;
    private long roundTrip;
    private long readAt;
    private boolean read;

    private GrowingFlowController(Http2Connection connection, ReceiveWindows windows, Ticker ticker, boolean shared) {
        super(connection, REFILLED_BELOW, !shared);
        this.connection = connection;
        this.growthKey = connection.newKey();
        this.windows = windows;
        this.ticker = ticker;
        this.shared = shared;
    }

    /** Returns the flow control of a connection to a client, whose streams share one window. */
    public static GrowingFlowController ofClient(Http2Connection connection, ReceiveWindows windows, Ticker ticker) {
        return new GrowingFlowController(connection, windows, ticker, true);
    }

    /** Returns the flow control of a connection to an upstream: a client that reads nothing blocks its own stream, and no other. */
    public static GrowingFlowController ofUpstream(Http2Connection connection, ReceiveWindows windows, Ticker ticker) {
        return new GrowingFlowController(connection, windows, ticker, false);
    }

    @Override
    public void channelHandlerContext(ChannelHandlerContext ctx) {
        super.channelHandlerContext(ctx);
        channel = ctx.channel();
        ctx.channel().closeFuture().addListener(closed -> windows.give(shared && all != null ? all.grown() : 0));
    }

    /** Returns consumed bytes to the window of the stream, and enlarges the windows that held up the peer. */
    @Override
    public boolean consumeBytes(@Nullable Http2Stream stream, int bytes) throws Http2Exception {
        if (stream == null || bytes == 0 || !stream.state().remoteSideOpen() || !open()) {
            return super.consumeBytes(
                    stream, bytes); // a body that has ended needs no window, nor does the only piece of one
        }
        boolean updated = super.consumeBytes(stream, bytes);
        long now = ticker.nanoTime();
        long trip = roundTrip(now);
        if (trip <= 0) {
            return updated;
        }
        WindowGrowth growth = stream.getProperty(growthKey);
        if (growth == null) {
            growth = new WindowGrowth(initialWindowSize(stream), 0);
            stream.setProperty(growthKey, growth);
        }
        boolean allGrown = shared && growAll(bytes, now, trip);
        int more = growth.taken(bytes, now, trip, maxOfStream(), largest);
        boolean grown = grow(stream, growth, shared ? more : windows.take(more));
        largest = Math.max(largest, growth.size());
        return grown || allGrown || updated;
    }

    private boolean grow(Http2Stream stream, WindowGrowth growth, int more) throws Http2Exception {
        if (more == 0) {
            return false;
        }
        growth.grow(more);
        incrementWindowSize(stream, more);
        return true;
    }

    private boolean open() {
        return channel != null && channel.isOpen();
    }

    private int maxOfStream() {
        WindowGrowth growth = all;
        return growth == null
                ? windows.max()
                : Math.min(windows.max(), growth.grown() + (growth.size() - growth.grown()) / FIRST_SHARE);
    }

    private boolean growAll(int bytes, long now, long trip) throws Http2Exception {
        Http2Stream whole = connection.connectionStream();
        WindowGrowth growth = all;
        if (growth == null) {
            int first = initialWindowSize(whole);
            growth = new WindowGrowth(first, first);
            all = growth;
        }
        int first = growth.size() - growth.grown();
        return grow(whole, growth, windows.take(growth.taken(bytes, now, trip, first + windows.max(), 0)));
    }

    private long roundTrip(long now) {
        Channel of = channel;
        if (of != null && (!read || now - readAt >= READ_NANOS)) {
            read = true;
            readAt = now;
            roundTrip = windows.roundTrip(of);
        }
        return roundTrip;
    }

    /** Returns the bytes of the largest window that a stream of the connection had: as many may be in flight when it is reset. */
    public int largest() {
        return Math.max(largest, initialWindowSize());
    }

    /** Returns the bytes granted to a stream that ends, for the holder of its data; {@link #giveBack} follows. */
    public int grantOf(Http2Stream stream) {
        WindowGrowth growth = stream.removeProperty(growthKey);
        return shared || growth == null ? 0 : growth.grown();
    }

    /** Returns granted bytes to the budget, because no data of their stream is held any more. */
    public void giveBack(int bytes) {
        windows.give(bytes);
    }
}
