package dev.postern.core.upstream.connect;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.transport.Descriptors;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks the health of one endpoint once, over a connection of its own. Event loop only. */
public final class HealthChecker implements UpstreamResponseHandler, UpstreamStream.Owner, UpstreamConnection.Owner {

    private static final FieldName USER_AGENT = FieldName.of("user-agent");

    private final UpstreamSettings.Check check;
    private final Endpoint endpoint;
    private final Ticker ticker;
    private @Nullable Channel channel;
    private @Nullable UpstreamConnection connection;
    private @Nullable UpstreamStream stream;
    private boolean notified;

    private HealthChecker(UpstreamSettings.Check check, Endpoint endpoint, Ticker ticker) {
        this.check = check;
        this.endpoint = endpoint;
        this.ticker = ticker;
    }

    /** Sends the check and records its result in the endpoint's health. */
    public static void run(ConnectSpec spec, UpstreamSettings.Check check, Endpoint endpoint) {
        HealthChecker checker = new HealthChecker(check, endpoint, spec.loop().ticker());
        ChannelFuture connecting = spec.opener()
                .open(
                        spec.loop(),
                        endpoint.address(),
                        check.timeout(),
                        ProxyProtocolEncoder.of(spec.proxyProtocol(), null));
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                checker.connected(spec, connecting.channel());
            } else if (!Descriptors.exhausted(done.cause())) { // a missing descriptor says nothing about the endpoint
                checker.report(false);
            }
        });
    }

    private void connected(ConnectSpec spec, Channel target) {
        channel = target;
        UpstreamConnection.Factory multiplexing = spec.multiplexing();
        if (multiplexing == null) {
            ask(spec.protocol().apply(target, this));
        } else {
            target.eventLoop().schedule(() -> report(false), check.timeout().toNanos(), TimeUnit.NANOSECONDS);
            connection = multiplexing.open(
                    target, this, new UpstreamConnection.Terms("health check", 1, check.timeout(), check.timeout()));
        }
    }

    @Override
    public void ready() {
        UpstreamConnection open = connection;
        if (open != null) {
            ask(open.stream(this));
        }
    }

    private void ask(UpstreamStream opened) {
        stream = opened;
        opened.expect(ticker.nanoTime(), check.timeout());
        String authority = authority();
        RequestHead head = new RequestHead();
        head.method(Method.GET).authority(authority).target(Objects.requireNonNull(check.path(), "path"), "");
        head.set(FieldName.HOST, authority);
        head.add(USER_AGENT, "postern");
        opened.send(head, this);
    }

    private String authority() {
        String configured = check.host();
        Field host = endpoint.host();
        return configured != null ? configured : host != null ? host.value() : authority(endpoint.address());
    }

    private static String authority(SocketAddress any) {
        if (!(any instanceof InetSocketAddress address)) {
            return "localhost"; // a Unix socket has no host name
        }
        String host = address.getHostString();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
    }

    private void report(boolean good) {
        if (!notified) {
            notified = true;
            endpoint.health().checked(good, ticker.nanoTime());
            if (stream != null) {
                stream.abort();
            }
            if (channel != null) {
                channel.close();
            }
        }
    }

    @Override
    public void head(ResponseHead head) {
        report(head.status() >= 200 && head.status() < 400);
    }

    @Override
    public void late() {
        report(false);
    }

    @Override
    public void failed(Refusal refusal, boolean silent) {
        report(false);
    }

    @Override
    public void content(ByteBuf data) {
        data.release();
    }

    @Override
    public void interim(ResponseHead head) {}

    @Override
    public void complete() {}

    @Override
    public void readComplete() {}

    @Override
    public void writable() {}

    @Override
    public void free(boolean reusable) {
        if (stream != null) {
            stream.close();
        }
    }

    @Override
    public void gone() {}

    @Override
    public void leaving() {}

    @Override
    public void gone(Refusal refusal) {
        report(false);
    }
}
