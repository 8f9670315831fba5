package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Token site: nginx as upstream, {@code postern issuer}, memcached as ledger, and the gateway in front.
 *
 * <p>Path {@code /} needs a token, {@code /open} needs none. A second listener uses TLS.
 *
 * @param tlsPort of the listener that uses TLS
 */
public record TokenSite(
        RunFolder folder,
        Nginx origin,
        Memcached memcached,
        ServerProcess gateway,
        int port,
        int tlsPort,
        int adminPort) {
    private static final String YAML = """
        transport: {event-loops: %6$d}
        listeners:
          - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
          - {name: tls, address: "127.0.0.1:%9$d", mode: reverse, %10$s}
        admin: {address: "127.0.0.1:%2$d"}
        log: {level: warn, successes: 0%%}
        privacy-pass:
          origin-names: [gateway.example]
          challenge-window: 1h
          issuers:
            - {name: "127.0.0.1:%3$d", directory: "http://127.0.0.1:%3$d/.well-known/private-token-issuer-directory"}
          ledger:
            store: memcached
            deadline: %7$dms
            memcached: {servers: ["127.0.0.1:%4$d"], client: %8$s}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%5$d"]}
        routes:
          - {host: "*", path: /, upstream: app, token: required}
          - {host: "*", path: /open, upstream: app, token: off}
        """;

    /** Heap of fixed size whose pages are all resident from the start, several times what the gateway needs at 100 tokens per second. */
    private static final Map<String, String> RESIDENT_HEAP =
            Map.of("POSTERN_JAVA_OPTS", "-Xms256m -Xmx256m -XX:+AlwaysPreTouch");

    /** Cores of the processes, and the settings of the gateway that differ from the defaults. */
    private record Shape(Cores gateway, Cores others, int eventLoops, int deadlineMillis, String client) {
        private static final Shape SIMULATION = new Shape(Cores.ANY, Cores.ANY, 0, 250, "spymemcached");
    }

    private static TokenSite start(RunFolder folder, Shape shape, Map<String, String> environment) {
        Progress.say("starting nginx, memcached, issuer and gateway; logs: " + folder + "; leak detection is off");
        Nginx origin = Nginx.origin(folder, "origin", shape.others, 128, true);
        Memcached memcached = Memcached.start(folder, shape.others);
        int issuer = Ports.free();
        Postern.issuer(folder, issuer);
        int port = Ports.free();
        int tlsPort = Ports.free();
        int adminPort = Ports.free();
        String yaml = YAML.formatted(
                port,
                adminPort,
                issuer,
                memcached.port(),
                origin.port(),
                shape.eventLoops,
                shape.deadlineMillis,
                shape.client,
                tlsPort,
                Certificate.in(folder).yaml());
        ServerProcess gateway = Postern.gateway(folder, "gateway", shape.gateway, yaml, adminPort, environment);
        return new TokenSite(folder, origin, memcached, gateway, port, tlsPort, adminPort);
    }

    /**
     * Starts a site for simulations: the scheduler chooses the cores, and the deadline of the ledger is long enough for
     * a driver on the same cores.
     */
    public static TokenSite start(RunFolder folder) {
        return start(folder, Shape.SIMULATION, Map.of());
    }

    /**
     * Starts the same site with a heap that is resident from the start: while the gateway uses pages of the heap for the first time, its
     * resident memory grows, though nothing leaks.
     */
    public static TokenSite startResident(RunFolder folder) {
        return start(folder, Shape.SIMULATION, RESIDENT_HEAP);
    }

    /**
     * Starts a site for measurements: the gateway has a core for itself, one event loop and default settings but for
     * memcached's client.
     */
    public static TokenSite startPinned(RunFolder folder, String client) {
        return start(folder, new Shape(Cores.MEASURED, Cores.LOAD, 1, 50, client), Map.of());
    }

    /** Starts the same site with a deadline of the ledger that no spend exceeds, so that each request succeeds. */
    public static TokenSite startPatient(RunFolder folder, String client) {
        return start(folder, new Shape(Cores.MEASURED, Cores.LOAD, 1, 5_000, client), Map.of());
    }

    /** Mints the given number of tokens for this site into a file, one a line. */
    public Path mint(int tokens) {
        Path file = folder.file("tokens-" + tokens + ".txt");
        Progress.say("minting " + tokens + " tokens");
        Postern.mint(folder, url() + "/", tokens, file, List.of());
        return file;
    }

    /** Mints the given number of tokens into a named pipe, while a program reads them. */
    public Path stream(int tokens) {
        return Postern.stream(folder, url() + "/", tokens, List.of());
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }
}
