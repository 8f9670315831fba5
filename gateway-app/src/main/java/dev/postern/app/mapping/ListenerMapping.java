package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.LimitsConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Protocol;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.http1.codec.HeadLimits;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEnvironment;
import dev.postern.core.tls.certificate.KeyPairFiles;
import io.netty.util.internal.PlatformDependent;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of listeners and connection limits. */
public final class ListenerMapping {

    private final GatewayConfig config;
    private final Path base;
    private final SocketMapping sockets;
    private final TlsEnvironment environment;

    /** @param base the directory that relative file names start from */
    public ListenerMapping(GatewayConfig config, Path base, SocketMapping sockets, TlsEnvironment environment) {
        this.config = config;
        this.base = base;
        this.sockets = sockets;
        this.environment = environment;
    }

    /** Maps a listener and reads its certificates and keys. Throws {@link IllegalStateException} with the error in these. */
    public ListenerSettings listener(ListenerConfig listener) {
        return new ListenerSettings(
                new ListenerInfo(
                        listener.name(),
                        listener.mode(),
                        orEmpty(listener.forward()),
                        orEmpty(listener.originName()),
                        CidrSet.of(listener.trustedProxies()),
                        listener.trustedFields().stream().map(FieldName::of).toList(),
                        listener.forwarded(),
                        listener.serverTiming(),
                        new ClientNetworks(Nat64Prefixes.of(config.transport().nat64Prefixes()))),
                listener.address().resolve(),
                sockets.clientSockets(listener.congestionControl()),
                Set.copyOf(listener.protocols()),
                limits(),
                config.http2(),
                listener.proxyProtocol() == ListenerConfig.ProxyProtocol.REQUIRED,
                tls(listener));
    }

    /** @param shares limits connections in addition to {@code limits.connections} */
    public AcceptLimits accept(DescriptorShares shares) {
        LimitsConfig limits = config.limits();
        return new AcceptLimits(
                shares.connections(config),
                limits.connectionsPerAddress(),
                limits.headTimeout(),
                limits.writeIdleTimeout(),
                (long) (config.overload().outboundBuffers().fraction() * PlatformDependent.maxDirectMemory()));
    }

    private Http1Limits limits() {
        LimitsConfig limits = config.limits();
        return new Http1Limits(
                new HeadLimits((int) limits.requestHead().bytes(), limits.maxFields(), limits.maxConnectionOptions()),
                limits.discardBody().bytes(),
                limits.headTimeout(),
                limits.bodyIdleTimeout(),
                limits.keepAliveTimeout(),
                limits.pipelineDepth(),
                limits.halfClose());
    }

    private @Nullable ServerTls tls(ListenerConfig listener) {
        ListenerConfig.Tls tls = listener.tls();
        try {
            return tls == null ? null : new ServerTls(environment, tls(tls, Protocol.offered(listener.protocols())));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("listeners: " + listener.name() + ": tls: " + e.getMessage(), e);
        }
    }

    private ServerTls.Settings tls(ListenerConfig.Tls tls, List<String> alpn) {
        return new ServerTls.Settings(
                tls.certificates().stream().map(this::files).toList(),
                tls.clientCaFile() == null ? null : base.resolve(tls.clientCaFile()),
                tls.minVersion(),
                alpn,
                config.limits().headTimeout());
    }

    private KeyPairFiles files(ListenerConfig.Certificate certificate) {
        String ocsp = certificate.ocspFile();
        return new KeyPairFiles(
                base.resolve(certificate.certificateFile()),
                base.resolve(certificate.privateKeyFile()),
                ocsp == null ? null : base.resolve(ocsp));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
