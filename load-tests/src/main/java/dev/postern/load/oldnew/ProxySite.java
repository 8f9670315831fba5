package dev.postern.load.oldnew;

import dev.postern.load.measure.Wrk;
import dev.postern.load.proxies.Contender;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.Started;
import java.net.URI;
import java.time.Duration;

/** Proxy site: an origin behind gateways without tokens. */
record ProxySite(RunFolder folder, boolean tls, Nginx origin) implements Site {
    private static final String SECTIONS = """
            routes:
              - {host: "*", path: /, upstream: app, token: off}
            """;

    private static final int BODY = 128;
    private static final int CONNECTIONS = 64;

    static ProxySite open(RunFolder folder, boolean tls) {
        return new ProxySite(folder, tls, Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
    }

    @Override
    public Contender start(Build build, Started started) {
        String listener = tls ? ", " + Certificate.in(folder).yaml() : "";
        GatewayConfig config = GatewayConfig.of(origin.port(), listener, SECTIONS);
        URI uri = URI.create((tls ? "https" : "http") + "://127.0.0.1:" + config.port() + "/");
        return new GatewayContender(build.name(), started.add(build.start(folder, config)), new WrkClients(uri));
    }

    /** Clients that send requests in a closed loop over kept-alive connections of HTTP/1.1. */
    private record WrkClients(URI uri) implements Clients {
        @Override
        public void warmUp(Duration length) {
            Wrk.warmUp(uri, CONNECTIONS, length);
        }

        @Override
        public Served send(Duration length) {
            Wrk load = Wrk.run(uri, CONNECTIONS, length);
            return new Served(load.requests(), load.p50());
        }
    }

    @Override
    public void close() {
        origin.close();
    }
}
