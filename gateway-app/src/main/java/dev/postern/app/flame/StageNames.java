package dev.postern.app.flame;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Names of the stages (docs/architecture.md) by the prefix of a class name. Classes of several stages are not listed: the caller's frame
 * decides. The first match counts.
 */
final class StageNames {

    /** Stages with the prefixes of their classes, which begin with {@code dev.postern} where a dot comes first. */
    private static final List<Stage> STAGES = """
            send      .core.transport.WriteTimeoutHandler .core.transport.OutboundBytesLimiter .core.transport.LingeringClose
            send      .core.http1.PipeliningQueue .core.http1.PendingOutput .core.http1.Http1ResponseWriter
            send      .core.exchange.AbstractResponseWriter
            send      .core.http2.PausedResponseBuffer .core.http2.Http2ResponseWriter .core.http2.CoalescedResponseWriter
            send      .core.http2.client.ClientFrameListener
            accept    .core.connection. .core.server.CodecFactory .core.server.ClientChannelInitializer .core.server.BoundListener
            accept    .core.server.Protocol .core.server.ProxyServer io.netty.bootstrap.ServerBootstrap
            accept    io.netty.channel.epoll.AbstractEpollServerChannel io.netty.channel.uring.AbstractIoUringServerChannel
            accept    io.netty.channel.socket.nio.NioServerSocketChannel
            tls       .core.tls. .core.transport.CloseReply io.netty.handler.ssl. io.netty.internal.tcnative.
            forward   .core.tunnel. .core.capsule.
            forward   .core.proxy. .core.upstream. .core.route.transform. .core.http1.client.Http1UpstreamConnection
            forward   .core.http1.client.ResponseHeadParser .core.http2.client.Http2UpstreamStream
            forward   .core.http2.client.Http2UpstreamConnection .core.http2.client.Http2ClientCodec
            forward   .core.transport.ChannelTunnelPeer io.netty.bootstrap.Bootstrap io.netty.resolver.
            codec     .core.http1.Http1ServerConnection .core.http1.Http1RequestBody .core.http1.Http1RequestDecoder
            codec     .core.http1.RequestHeadParser .core.http2.Http2ServerConnection .core.http2.AbstractHttp2Connection
            codec     .core.http2.Http2RequestBody .core.http2.ServerFrameListener
            log       .core.pipeline.LogStage .core.pipeline.RequestIdStage .core.metrics. .app.log. .app.trace.
            match     .core.pipeline.MatchStage .core.authorize. .core.route. .core.headers.
            turn      .core.pipeline.TurnStage
            extension .core.extension.
            verify    .auth.handler.TokenVerificationStage .auth.handler.VerificationDispatcher .auth.handler.KeyFetchWaiters
            verify    .auth.handler.VerifyMeters .auth.verify. .auth.rsa. .auth.voprf. .auth.budget. .auth.key.
            spend     .auth.handler.SpendStage .auth.spend.
            identify  .auth.handler. .auth.session. .auth.token.
            admit     .ratelimit.
            overload  .core.overload.
            """.lines().map(Stage::of).toList();

    private record Stage(String name, List<String> prefixes) {

        private static Stage of(String line) {
            List<String> words = Arrays.stream(line.split(" +"))
                    .map(word -> word.startsWith(".") ? "dev.postern" + word : word)
                    .toList();
            return new Stage(words.get(0), words.subList(1, words.size()));
        }
    }

    private StageNames() {}

    /** Returns the stage of a class or of one of its methods; empty for classes of several stages or of none. */
    static Optional<String> of(String name) {
        return STAGES.stream()
                .filter(stage -> stage.prefixes().stream().anyMatch(name::startsWith))
                .map(Stage::name)
                .findFirst();
    }
}
