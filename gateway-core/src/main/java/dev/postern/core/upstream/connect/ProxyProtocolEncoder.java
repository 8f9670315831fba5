package dev.postern.core.upstream.connect;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Encoder that begins a connection with a header of the PROXY protocol (versions 1 and 2 of HAProxy's specification), then leaves the
 * pipeline. The connect promise completes after the header was written, so that TLS and the first request come behind it.
 */
public final class ProxyProtocolEncoder extends ChannelOutboundHandlerAdapter {

    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int V4_LENGTH = 12;
    private static final int V6_LENGTH = 36;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final UpstreamSettings.ProxyProtocol version;
    private final @Nullable ProxyProtocolSource source;

    /**
     * Returns the handler of a new connection that sends the header of that version; for OFF one that does nothing.
     *
     * @param source null when the connection serves the gateway itself
     */
    public static ChannelHandler of(UpstreamSettings.ProxyProtocol version, @Nullable ProxyProtocolSource source) {
        return version == UpstreamSettings.ProxyProtocol.OFF
                ? new ChannelHandlerAdapter() {}
                : new ProxyProtocolEncoder(version, source);
    }

    ProxyProtocolEncoder(UpstreamSettings.ProxyProtocol version, @Nullable ProxyProtocolSource source) {
        this.version = version;
        this.source = source;
    }

    @Override
    public void connect(
            ChannelHandlerContext ctx, SocketAddress remote, @Nullable SocketAddress local, ChannelPromise promise) {
        ChannelPromise connected = ctx.newPromise();
        connected.addListener(done -> {
            if (done.isSuccess()) {
                ByteBuf header = ctx.alloc().directBuffer(SIGNATURE.length + 4 + V6_LENGTH);
                write(version, source, header);
                ctx.writeAndFlush(header, ctx.voidPromise());
                ctx.pipeline().remove(this);
                promise.trySuccess();
            } else {
                promise.tryFailure(done.cause());
            }
        });
        ctx.connect(remote, local, connected);
    }

    static void write(UpstreamSettings.ProxyProtocol version, @Nullable ProxyProtocolSource source, ByteBuf out) {
        if (version == UpstreamSettings.ProxyProtocol.V1) {
            out.writeCharSequence(line(source), US_ASCII);
        } else {
            block(source, out);
        }
    }

    private static String line(@Nullable ProxyProtocolSource source) {
        if (source == null) {
            return "PROXY UNKNOWN\r\n";
        }
        InetSocketAddress at = at(source);
        boolean four = four(source);
        return "PROXY " + (four ? "TCP4 " : "TCP6 ") + text(source.client().getAddress(), four) + ' '
                + text(at.getAddress(), four) + ' '
                + source.client().getPort() + ' ' + at.getPort() + "\r\n";
    }

    private static void block(@Nullable ProxyProtocolSource source, ByteBuf out) {
        out.writeBytes(SIGNATURE);
        if (source == null) {
            out.writeByte(LOCAL).writeByte(0).writeShort(0);
            return;
        }
        InetSocketAddress at = at(source);
        boolean four = four(source);
        out.writeByte(PROXY).writeByte(four ? TCP4 : TCP6).writeShort(four ? V4_LENGTH : V6_LENGTH);
        address(source.client().getAddress(), four, out);
        address(at.getAddress(), four, out);
        out.writeShort(source.client().getPort()).writeShort(at.getPort());
    }

    /** Returns whether both addresses are IPv4; the header has one family for both. */
    private static boolean four(ProxyProtocolSource source) {
        return source.client().getAddress() instanceof Inet4Address
                && at(source).getAddress() instanceof Inet4Address;
    }

    private static InetSocketAddress at(ProxyProtocolSource source) {
        InetSocketAddress at = source.at();
        return at == null ? new InetSocketAddress(source.client().getAddress(), 0) : at;
    }

    private static String text(InetAddress address, boolean four) {
        String plain = NetUtil.toAddressString(address);
        return four || !(address instanceof Inet4Address) ? plain : "::ffff:" + plain;
    }

    private static void address(InetAddress address, boolean four, ByteBuf out) {
        if (!four && address instanceof Inet4Address) {
            out.writeBytes(MAPPED);
        }
        out.writeBytes(address.getAddress());
    }
}
