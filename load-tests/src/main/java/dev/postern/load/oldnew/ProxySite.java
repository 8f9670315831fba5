package dev.postern.load.oldnew;

import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.ServerContender;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.net.URI;
import java.util.List;

/** Proxy site: an origin behind gateways without tokens. */
record ProxySite(boolean tls, Nginx origin) implements Site {
    private static final String SECTIONS = """
        routes:
          - {host: "*", path: /, upstream: app, token: off}
        """;

    private static final int BODY = 128;
    private static final int CONNECTIONS = 64;

    static ProxySite open(RunFolder folder, boolean tls) {
        return new ProxySite(tls, Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
    }

    @Override
    public Contender start(Build build, RunFolder start) {
        String listener = tls ? ", " + Certificate.in(start).yaml() : "";
        GatewayConfig config = GatewayConfig.of(origin.port(), listener, SECTIONS);
        URI uri = URI.create((tls ? "https" : "http") + "://127.0.0.1:" + config.port() + "/");
        List<ServerProcess> gateway = List.of(build.start(start, config));
        return ServerContender.underWrk(build.name(), gateway, uri, CONNECTIONS);
    }
}
