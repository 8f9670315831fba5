package dev.postern.core.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the first of several addresses that accepts (Happy Eyeballs, RFC 8305 section 5): families alternate, and the next address is
 * tried after a delay or at once when an attempt fails. Every connection but the first is closed. Event loop only.
 */
final class ConnectionRace {

    /** Time before the next address is tried beside the earlier ones (RFC 8305 section 8). */
    static final long DELAY_MILLIS = 250;

    /** Addresses that are tried at most. */
    static final int MAX_ATTEMPTS = 6;

    private final EventLoop loop;
    private final Function<InetSocketAddress, ChannelFuture> connect;
    private final Promise<Channel> winner;
    private final Deque<InetSocketAddress> untried = new ArrayDeque<>();
    private final List<ChannelFuture> attempts = new ArrayList<>(1);
    private io.netty.util.concurrent.@Nullable ScheduledFuture<?> next;
    private int pending;

    /** @param connect opens a connection on the event loop, within a time limit */
    ConnectionRace(EventLoop loop, Function<InetSocketAddress, ChannelFuture> connect) {
        this.loop = loop;
        this.connect = connect;
        this.winner = loop.newPromise();
    }

    /** Starts the race. The future fails with the cause of the last failed attempt. */
    Future<Channel> start(List<InetSocketAddress> addresses) {
        untried.addAll(interleaved(addresses));
        if (untried.isEmpty()) {
            winner.setFailure(new UnknownHostException("no address"));
        } else {
            attempt();
        }
        return winner;
    }

    /** Ends a race whose result is not needed any more; does nothing after its end. */
    void cancel() {
        if (winner.tryFailure(new CancellationException())) {
            stop(null);
        }
    }

    /** Returns the addresses in the order of the attempts: families alternate, IPv6 first (RFC 8305 section 4). */
    static List<InetSocketAddress> interleaved(List<InetSocketAddress> addresses) {
        Deque<InetSocketAddress> first = new ArrayDeque<>();
        Deque<InetSocketAddress> second = new ArrayDeque<>();
        for (InetSocketAddress address : addresses) {
            (address.getAddress() instanceof Inet6Address ? first : second).add(address);
        }
        List<InetSocketAddress> ordered = new ArrayList<>(addresses.size());
        while (!first.isEmpty() || !second.isEmpty()) {
            if (!first.isEmpty()) {
                ordered.add(first.remove());
            }
            if (!second.isEmpty()) {
                ordered.add(second.remove());
            }
        }
        return ordered.subList(0, Math.min(MAX_ATTEMPTS, ordered.size()));
    }

    private void attempt() {
        InetSocketAddress address = untried.poll();
        if (address == null) {
            return;
        }
        pending++;
        ChannelFuture attempt = connect.apply(address);
        attempts.add(attempt);
        if (!untried.isEmpty()) {
            next = loop.schedule(this::attempt, DELAY_MILLIS, TimeUnit.MILLISECONDS);
        }
        attempt.addListener(done -> ended(attempt));
    }

    private void ended(ChannelFuture attempt) {
        pending--;
        if (attempt.isSuccess()) {
            if (winner.trySuccess(attempt.channel())) {
                stop(attempt);
            } else {
                attempt.channel().close();
            }
        } else if (!winner.isDone()) {
            if (!untried.isEmpty()) {
                cancelDelay();
                attempt();
            } else if (pending == 0) {
                winner.tryFailure(attempt.cause());
            }
        }
    }

    private void cancelDelay() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    /** Closes all connections except the winner's. */
    private void stop(@Nullable ChannelFuture except) {
        cancelDelay();
        untried.clear();
        for (ChannelFuture attempt : attempts) {
            if (attempt != except) {
                attempt.channel().close();
            }
        }
    }
}
