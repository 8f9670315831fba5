package dev.postern.core.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handler that reads the server name of a client's hello before the TLS engine does, whose Java API has no place for names that Java refuses,
 * such as {@code my_app.test}. It adds the handler of TLS behind itself, and removes itself when the hello has arrived. One per channel.
 *
 * <p>The name that is read here is the only one that counts: what the engine reads decides nothing.
 */
public final class ServerNameHandler extends ByteToMessageDecoder {

    private final ServerNames names;
    private final SslHandler tls;
    private @Nullable String name;

    /** @param names receives the name for the time of the handshake */
    ServerNameHandler(ServerNames names, SslHandler tls) {
        this.names = names;
        this.tls = tls;
    }

    /** Completes with the handshake. */
    public Future<Channel> handshake() {
        return tls.handshakeFuture();
    }

    /** Returns the server name as the client sent it, of any characters; null before the hello, and for none. */
    public @Nullable String name() {
        return name;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.pipeline().addAfter(ctx.name(), null, tls);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        ClientHello hello = ClientHello.read(in);
        if (hello == null) {
            return;
        }
        name = hello.serverName();
        if (name != null) {
            ServerNames.Handshake handshake = names.put(tls.engine(), name);
            tls.handshakeFuture().addListener(ended -> names.forget(handshake));
        }
        ctx.pipeline().remove(this); // the bytes go on
    }
}
