package dev.postern.app.flame;

import java.util.List;
import java.util.Optional;

/** Which stage of an exchange's way (docs/architecture.md) a class works for, by the beginning of its name. */
final class StageNames {

    private record Stage(String name, List<String> beginnings) {}

    /** What works for more than one stage stands here not at all: then whoever called it says. The first that fits counts. */
    private static final List<Stage> STAGES = List.of(
            new Stage(
                    "send",
                    List.of(
                            "dev.postern.core.transport.WriteStall",
                            "dev.postern.core.transport.WriteBudget",
                            "dev.postern.core.http1.ArrivalOrder",
                            "dev.postern.core.http1.HeldOutput",
                            "dev.postern.core.http1.Http1Answer",
                            "dev.postern.core.http2.client.Answers",
                            "dev.postern.core.http2.HeldAnswer",
                            "dev.postern.core.http2.Http2Answer",
                            "dev.postern.core.http2.WholeAnswers",
                            "dev.postern.core.transport.Lingering")),
            new Stage(
                    "accept",
                    List.of(
                            "dev.postern.core.connection.",
                            "dev.postern.core.server.Codecs",
                            "dev.postern.core.server.Intake",
                            "dev.postern.core.server.Listening",
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
                            "dev.postern.core.http1.client.Http1Wire",
                            "dev.postern.core.http1.client.ResponseScanner",
                            "dev.postern.core.http2.client.Http2Wire",
                            "dev.postern.core.http2.client.Http2Link",
                            "dev.postern.core.http2.client.LinkCodec",
                            "dev.postern.core.transport.ChannelEnd",
                            "io.netty.bootstrap.Bootstrap",
                            "io.netty.resolver.")),
            new Stage(
                    "codec",
                    List.of(
                            "dev.postern.core.http1.Http1Connection",
                            "dev.postern.core.http1.Http1RequestBody",
                            "dev.postern.core.http1.RequestReader",
                            "dev.postern.core.http1.RequestScanner",
                            "dev.postern.core.http2.Http2Connection",
                            "dev.postern.core.http2.Http2Peer",
                            "dev.postern.core.http2.Http2RequestBody",
                            "dev.postern.core.http2.Requests")),
            new Stage(
                    "log",
                    List.of(
                            "dev.postern.core.pipeline.LogHandler",
                            "dev.postern.core.metrics.",
                            "dev.postern.app.log.",
                            "dev.postern.app.trace.")),
            new Stage(
                    "match",
                    List.of(
                            "dev.postern.core.pipeline.MatchHandler",
                            "dev.postern.core.route.",
                            "dev.postern.core.headers.")),
            new Stage("turn", List.of("dev.postern.core.pipeline.TurnHandler")),
            new Stage("extension", List.of("dev.postern.core.extension.")),
            new Stage(
                    "verify",
                    List.of(
                            "dev.postern.auth.handler.TokenVerificationHandler",
                            "dev.postern.auth.handler.Arithmetic",
                            "dev.postern.auth.handler.KeyWait",
                            "dev.postern.auth.handler.VerifyMeters",
                            "dev.postern.auth.verify.",
                            "dev.postern.auth.rsa.",
                            "dev.postern.auth.voprf.",
                            "dev.postern.auth.budget.",
                            "dev.postern.auth.key.")),
            new Stage("spend", List.of("dev.postern.auth.handler.DoubleSpendHandler", "dev.postern.auth.spend.")),
            new Stage(
                    "identify",
                    List.of("dev.postern.auth.handler.", "dev.postern.auth.session.", "dev.postern.auth.token.")),
            new Stage("admit", List.of("dev.postern.ratelimit.")),
            new Stage("overload", List.of("dev.postern.core.overload.")));

    private StageNames() {}

    /** Empty for what works for several stages, or for none. */
    static Optional<String> of(String className) {
        return STAGES.stream()
                .filter(stage -> stage.beginnings().stream().anyMatch(className::startsWith))
                .map(Stage::name)
                .findFirst();
    }
}
