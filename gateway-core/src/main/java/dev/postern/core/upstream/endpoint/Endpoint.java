package dev.postern.core.upstream.endpoint;

import dev.postern.core.http.Field;
import dev.postern.core.spi.EndpointRule;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Endpoint of an upstream: its address, weight, Host, health and number of exchanges under way. Thread-safe. */
public final class Endpoint implements EndpointRule.Server {

    private static final long PRECISION = TimeUnit.MILLISECONDS.toNanos(10);

    private final SocketAddress address;
    private final int weight;
    private final @Nullable Field host;
    private final EndpointHealth health;
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean retired;
    private volatile long respondedAt = Long.MIN_VALUE / 2;

    /** @param host the Host of requests to this endpoint; null for that of the client */
    public Endpoint(SocketAddress address, int weight, @Nullable Field host, EndpointHealth health) {
        this.address = address;
        this.weight = weight;
        this.host = host;
        this.health = health;
    }

    /** Creates an endpoint that gets the Host of the client. */
    public Endpoint(SocketAddress address, int weight, EndpointHealth health) {
        this(address, weight, null, health);
    }

    public SocketAddress address() {
        return address;
    }

    public EndpointHealth health() {
        return health;
    }

    /** Returns the Host of requests to this endpoint; null for that of the client. */
    public @Nullable Field host() {
        return host;
    }

    /** Returns the endpoint's current weight in relation to the other endpoints. */
    double weight(long now) {
        return weight * health.share(now);
    }

    @Override
    public String name() {
        return text(address);
    }

    static String text(SocketAddress address) {
        return address instanceof InetSocketAddress socket ? NetUtil.toSocketAddressString(socket) : address.toString();
    }

    @Override
    public int weight() {
        return weight;
    }

    @Override
    public int busy() {
        return busy.get();
    }

    public void begun() {
        busy.getAndIncrement();
    }

    public void over() {
        busy.getAndDecrement();
    }

    /** Returns whether the status (502, 503 or 504) says that the endpoint can't serve requests. */
    public static boolean unable(int status) {
        return status >= 502 && status <= 504;
    }

    /** Records a response. */
    public void responded(int status, long now) {
        if (now - respondedAt > PRECISION) { // all loops pass here: write seldom
            respondedAt = now;
        }
        if (unable(status)) {
            failed(now);
        } else {
            health.good();
        }
    }

    /** Returns whether the endpoint responded to any request since then, as far as 10 ms let tell. */
    public boolean respondedSince(long time) {
        return respondedAt - time > 0;
    }

    /** Records an exchange without a response. */
    public void failed(long now) {
        health.bad(false, now);
    }

    /** Retires the endpoint, whose name no longer resolves to its address: connections to it are not used again. */
    public void retire() {
        retired = true;
    }

    public boolean retired() {
        return retired;
    }
}
