package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Token site: nginx as upstream, {@code postern issuer}, memcached as ledger, and the gateway in front.
 *
 * <p>Path {@code /} needs a token, {@code /open} needs none. A second listener uses TLS.
 */
public final class TokenSite {
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

    private final RunFolder folder;
    private final Nginx origin;
    private final Memcached memcached;
    private final ServerProcess gateway;
    private final int issuerPort = Ports.free();
    private final int port = Ports.free();
    private final int tlsPort = Ports.free();
    private final int adminPort = Ports.free();

    /** Cores of the processes, and the settings of the gateway that differ from the defaults. */
    private record Shape(Cores gateway, Cores others, int eventLoops, int deadlineMillis, String client) {
        private static final Shape SIMULATION = new Shape(Cores.ANY, Cores.ANY, 0, 250, "spymemcached");
    }

    private TokenSite(RunFolder folder, Shape shape) {
        this(folder, shape, Map.of());
    }

    private TokenSite(RunFolder folder, Shape shape, Map<String, String> environment) {
        this.folder = folder;
        Progress.say("starting nginx, memcached, issuer and gateway; logs: " + folder + "; leak detection is off");
        origin = Nginx.origin(folder, "origin", shape.others, 128, true);
        memcached = Memcached.start(folder, shape.others);
        Postern.issuer(folder, issuerPort);
        String yaml = YAML.formatted(
                port,
                adminPort,
                issuerPort,
                memcached.port(),
                origin.port(),
                shape.eventLoops,
                shape.deadlineMillis,
                shape.client,
                tlsPort,
                Certificate.in(folder).yaml());
        gateway = Postern.gateway(folder, "gateway", shape.gateway, yaml, adminPort, environment);
    }

    /**
     * Starts a site for simulations: the scheduler chooses the cores, and the deadline of the ledger is long enough for
     * a driver on the same cores.
     */
    public static TokenSite start(RunFolder folder) {
        return new TokenSite(folder, Shape.SIMULATION);
    }

    /**
     * Starts the same site with a heap that is resident from the start: while the gateway uses pages of the heap for the first time, its
     * resident memory grows, though nothing leaks.
     */
    public static TokenSite startResident(RunFolder folder) {
        return new TokenSite(folder, Shape.SIMULATION, RESIDENT_HEAP);
    }

    /**
     * Starts a site for measurements: the gateway has a core for itself, one event loop and default settings but for
     * memcached's client.
     */
    public static TokenSite startPinned(RunFolder folder, String client) {
        return new TokenSite(folder, new Shape(Cores.MEASURED, Cores.LOAD, 1, 50, client));
    }

    /** Starts the same site with a deadline of the ledger that no spend exceeds, so that each request succeeds. */
    public static TokenSite startPatient(RunFolder folder, String client) {
        return new TokenSite(folder, new Shape(Cores.MEASURED, Cores.LOAD, 1, 5_000, client));
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

    public int port() {
        return port;
    }

    /** Returns the port of the listener that uses TLS. */
    public int tlsPort() {
        return tlsPort;
    }

    public int adminPort() {
        return adminPort;
    }

    public Nginx origin() {
        return origin;
    }

    public ServerProcess gateway() {
        return gateway;
    }

    public Memcached memcached() {
        return memcached;
    }
}
