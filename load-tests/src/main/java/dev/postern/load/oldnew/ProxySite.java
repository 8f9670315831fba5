package dev.postern.load.oldnew;

import dev.postern.load.measure.Wrk;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.ServerContender;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Proxy site: an origin behind gateways without tokens. */
record ProxySite(boolean tls, Nginx origin) implements Site {
    private static final String SECTIONS = """
        routes:
          - {host: "*", path: /, upstream: app, token: off}
        """;

    private static final int BODY = 128;
    private static final int CONNECTIONS = 64;
    /** Requests of a warm-up, at least. */
    private static final int WARM_UP = 50_000;

    private static final int MAX_WARM_UP = 30;

    static ProxySite open(RunFolder folder, boolean tls) {
        return new ProxySite(tls, Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
    }

    @Override
    public Contender start(Build build, RunFolder start) {
        String listener = tls ? ", " + Certificate.in(start).yaml() : "";
        GatewayConfig config = GatewayConfig.of(origin.port(), listener, SECTIONS);
        URI uri = URI.create((tls ? "https" : "http") + "://127.0.0.1:" + config.port() + "/");
        return new ServerContender(
                build.name(),
                List.of(build.start(start, config)),
                length -> warmUp(uri, length),
                length -> Wrk.run(uri, CONNECTIONS, length));
    }

    /** Lasts longer on a busy machine, where the time alone is too short for the JIT compilers. */
    private static void warmUp(URI uri, Duration length) {
        long served = 0;
        for (int second = 0; second < length.toSeconds() || served < WARM_UP && second < MAX_WARM_UP; second++) {
            served += served(uri);
        }
    }

    /** Returns the requests served in a second; 0 if a response was not good, as a cold gateway's may be. */
    private static long served(URI uri) {
        try {
            return Wrk.run(uri, CONNECTIONS, Duration.ofSeconds(1)).requests();
        } catch (IllegalStateException e) {
            return 0;
        }
    }
}
