package dev.postern.app.flame;

import java.util.List;
import java.util.Optional;

/** Names of the stages (docs/architecture.md) by the prefix of a class name. */
final class StageNames {

    private record Stage(String name, List<String> beginnings) {}

    /**
     * Stages with the prefixes of their classes. Classes of several stages are not listed: the caller's frame decides. The first match
     * counts.
     */
    private static final List<Stage> STAGES = List.of(
            new Stage(
                    "send",
                    List.of(
                            "dev.postern.core.transport.WriteTimeoutHandler",
                            "dev.postern.core.transport.OutboundBytesLimiter",
                            "dev.postern.core.http1.PipeliningQueue",
                            "dev.postern.core.http1.PendingOutput",
                            "dev.postern.core.exchange.AbstractResponseWriter",
                            "dev.postern.core.http1.Http1ResponseWriter",
                            "dev.postern.core.http2.client.ClientFrameListener",
                            "dev.postern.core.http2.PausedResponseBuffer",
                            "dev.postern.core.http2.Http2ResponseWriter",
                            "dev.postern.core.http2.CoalescedResponseWriter",
                            "dev.postern.core.transport.LingeringClose")),
            new Stage(
                    "accept",
                    List.of(
                            "dev.postern.core.connection.",
                            "dev.postern.core.server.CodecFactory",
                            "dev.postern.core.server.ClientChannelInitializer",
                            "dev.postern.core.server.BoundListener",
                            "dev.postern.core.server.Protocol",
                            "dev.postern.core.server.ProxyServer",
                            "io.netty.bootstrap.ServerBootstrap",
                            "io.netty.channel.epoll.AbstractEpollServerChannel",
                            "io.netty.channel.uring.AbstractIoUringServerChannel",
                            "io.netty.channel.socket.nio.NioServerSocketChannel")),
            new Stage("tls", List.of("dev.postern.core.tls.", "io.netty.handler.ssl.", "io.netty.internal.tcnative.")),
            new Stage(
                    "forward",
                    List.of(
                            "dev.postern.core.proxy.",
                            "dev.postern.core.upstream.",
                            "dev.postern.core.route.transform.",
                            "dev.postern.core.http1.client.Http1UpstreamConnection",
                            "dev.postern.core.http1.client.ResponseHeadParser",
                            "dev.postern.core.http2.client.Http2UpstreamStream",
                            "dev.postern.core.http2.client.Http2UpstreamConnection",
                            "dev.postern.core.http2.client.Http2ClientCodec",
                            "dev.postern.core.transport.ChannelTunnelPeer",
                            "io.netty.bootstrap.Bootstrap",
                            "io.netty.resolver.")),
            new Stage(
                    "codec",
                    List.of(
                            "dev.postern.core.http1.Http1ServerConnection",
                            "dev.postern.core.http1.Http1RequestBody",
                            "dev.postern.core.http1.Http1RequestDecoder",
                            "dev.postern.core.http1.RequestHeadParser",
                            "dev.postern.core.http2.Http2ServerConnection",
                            "dev.postern.core.http2.AbstractHttp2Connection",
                            "dev.postern.core.http2.Http2RequestBody",
                            "dev.postern.core.http2.ServerFrameListener")),
            new Stage(
                    "log",
                    List.of(
                            "dev.postern.core.pipeline.LogStage",
                            "dev.postern.core.metrics.",
                            "dev.postern.app.log.",
                            "dev.postern.app.trace.")),
            new Stage(
                    "match",
                    List.of(
                            "dev.postern.core.pipeline.MatchStage",
                            "dev.postern.core.route.",
                            "dev.postern.core.headers.")),
            new Stage("turn", List.of("dev.postern.core.pipeline.TurnStage")),
            new Stage("extension", List.of("dev.postern.core.extension.")),
            new Stage(
                    "verify",
                    List.of(
                            "dev.postern.auth.handler.TokenVerificationStage",
                            "dev.postern.auth.handler.VerificationDispatcher",
                            "dev.postern.auth.handler.KeyFetchWaiters",
                            "dev.postern.auth.handler.VerifyMeters",
                            "dev.postern.auth.verify.",
                            "dev.postern.auth.rsa.",
                            "dev.postern.auth.voprf.",
                            "dev.postern.auth.budget.",
                            "dev.postern.auth.key.")),
            new Stage("spend", List.of("dev.postern.auth.handler.SpendStage", "dev.postern.auth.spend.")),
            new Stage(
                    "identify",
                    List.of("dev.postern.auth.handler.", "dev.postern.auth.session.", "dev.postern.auth.token.")),
            new Stage("admit", List.of("dev.postern.ratelimit.")),
            new Stage("overload", List.of("dev.postern.core.overload.")));

    private StageNames() {}

    /** Returns the stage of a class; empty for classes of several stages or of none. */
    static Optional<String> of(String className) {
        return STAGES.stream()
                .filter(stage -> stage.beginnings().stream().anyMatch(className::startsWith))
                .map(Stage::name)
                .findFirst();
    }
}
