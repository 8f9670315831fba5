package dev.postern.core.upstream;

import dev.postern.core.spi.EndpointRule;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** One server of an upstream: its address, its weight, its health, and what it does now. Thread-safe. */
public final class Endpoint implements EndpointRule.Server {

    private final SocketAddress address;
    private final int weight;
    private final EndpointHealth health;
    private final AtomicInteger busy = new AtomicInteger();
    private volatile boolean retired;

    Endpoint(SocketAddress address, int weight, EndpointHealth health) {
        this.address = address;
        this.weight = weight;
        this.health = health;
    }

    SocketAddress address() {
        return address;
    }

    EndpointHealth health() {
        return health;
    }

    /** Its share of the work now, beside those of the others. */
    double weight(long now) {
        return weight * health.share(now);
    }

    @Override
    public String name() {
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

    void begun() {
        busy.getAndIncrement();
    }

    void over() {
        busy.getAndDecrement();
    }

    /** 502, 503 and 504 are said by those who can't do what they are asked. */
    static boolean unable(int status) {
        return status >= 502 && status <= 504;
    }

    /** It answered. */
    public void responded(int status) {
        if (unable(status)) {
            failed();
        } else {
            health.good();
        }
    }

    /** It took an exchange and did not answer it. */
    public void failed() {
        health.bad(false, System.nanoTime());
    }

    /** Its name no longer leads to it: connections to it are not used again. */
    void retire() {
        retired = true;
    }

    boolean retired() {
        return retired;
    }
}
