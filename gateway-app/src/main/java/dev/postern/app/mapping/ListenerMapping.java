package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.type.AddressFiles;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.RequestId;
import dev.postern.core.exchange.RequestIdSettings;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Protocol;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEnvironment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of listeners. */
public final class ListenerMapping {

    private final GatewayConfig config;
    private final SocketMapping sockets;
    private final TlsEnvironment environment;

    public ListenerMapping(GatewayConfig config, SocketMapping sockets, TlsEnvironment environment) {
        this.config = config;
        this.sockets = sockets;
        this.environment = environment;
    }

    /** Maps a listener and reads its certificates, keys and address lists. Throws {@link IllegalStateException} with the error in these. */
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
                        requestId(listener),
                        new ClientNetworks(Nat64Prefixes.of(config.transport().nat64Prefixes())),
                        AddressFiles.rule(listener.allow(), listener.deny()),
                        questions(listener)),
                listener.address().resolve(),
                sockets.clientSockets(listener.congestionControl()),
                Set.copyOf(listener.protocols()),
                config.limits(),
                config.http2(),
                listener.proxyProtocol() == ListenerConfig.ProxyProtocol.REQUIRED,
                tls(listener));
    }

    private static ListenerInfo.@Nullable Questions questions(ListenerConfig listener) {
        return listener.mode() == ListenerInfo.Mode.AUTHORIZE
                ? new ListenerInfo.Questions(listener.dialect(), listener.pathPrefix())
                : null;
    }

    private @Nullable ServerTls tls(ListenerConfig listener) {
        ServerTls.Settings tls = listener.tls();
        try {
            return tls == null
                    ? null
                    : new ServerTls(
                            environment,
                            tls,
                            Protocol.offered(listener.protocols()),
                            config.limits().headTimeout());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("listeners: " + listener.name() + ": tls: " + e.getMessage(), e);
        }
    }

    private static @Nullable RequestId requestId(ListenerConfig listener) {
        @Nullable RequestIdSettings settings = listener.requestId();
        return settings == null || listener.mode() == ListenerInfo.Mode.FORWARD ? null : new RequestId(settings);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
