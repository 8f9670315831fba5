package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.ManualChannel;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.util.List;

/** Connection of an HTTP/1.1 client in memory, on a loop whose time the test moves. The test answers the exchanges. */
final class Http1Channel implements AutoCloseable {

    private final ManualChannel channel = new ManualChannel();
    private final DrainState state = new DrainState();

    Http1Channel() {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of());
        channel.pipeline()
                .addLast(new Http1ServerConnection(
                        TestLimits.CLIENT, () -> snapshot, client, state, new HeadWriter(), reason -> {}));
    }

    ManualChannel channel() {
        return channel;
    }

    DrainState state() {
        return state;
    }

    /** Sends bytes, in which a tilde stands for a line end. */
    Http1Channel send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes.replace("~", "\r\n"), ISO_8859_1));
        channel.runPendingTasks();
        return this;
    }

    /** Returns the next exchange; fails without one. */
    Exchange exchange() {
        Exchange next = channel.readInbound();
        if (next == null) {
            throw new AssertionError("no exchange (expected: one)");
        }
        return next;
    }

    /** Sends a request without a body, and returns its exchange. */
    Exchange request(String method, String version, String... fields) {
        StringBuilder more = new StringBuilder();
        for (String field : fields) {
            more.append(field).append('~');
        }
        return send(method + " / " + version + "~Host: a.example~" + more + "~").exchange();
    }

    Exchange get() {
        return request("GET", "HTTP/1.1");
    }

    /** Returns what the gateway has sent since the last call, in which a tilde stands for a line end; without the Date field. */
    String sent() {
        channel.runPendingTasks();
        StringBuilder text = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(part.toString(ISO_8859_1));
            part.release();
        }
        return text.toString().replace("\r\n", "~").replaceAll("date: [^~]*~", "");
    }

    /** Returns the number of buffers that wait to be read by the client. */
    int buffers() {
        channel.runPendingTasks();
        return (int) channel.outboundMessages().stream()
                .filter(part -> part instanceof ByteBuf data && data.isReadable())
                .count();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }
}
