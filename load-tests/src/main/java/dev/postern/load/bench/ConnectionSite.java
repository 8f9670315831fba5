package dev.postern.load.bench;

import dev.postern.load.measure.CpuTime;
import dev.postern.load.measure.Progress;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import dev.postern.load.worker.RequestWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Site of one gateway with the embedded ledger, and a client with one HTTP/2 connection to it. Gateway, origin and issuer are processes; only
 * the gateway's cores differ between two sites.
 */
final class ConnectionSite implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final String HEAP = "512m";
    private static final int OPEN = 60_000;

    private static final String YAML = """
            transport: {event-loops: 1}
            listeners: [{name: web, address: "127.0.0.1:%1$d", mode: reverse, %2$s}]
            admin: {address: "127.0.0.1:%3$d"}
            log: {level: warn, successes: 0%%}
            privacy-pass:
              origin-names: [gateway.example]
              challenge-window: 1h
              token-types: [%4$d]
              issuers:
                - name: "127.0.0.1:%5$d"
                  directory: "http://127.0.0.1:%5$d/.well-known/private-token-issuer-directory"
                  private-key-files: [%6$s]
            upstreams: [{name: app, endpoints: ["127.0.0.1:%7$d"]}]
            routes:
              - {path: /, upstream: app, token: required}
              - {path: /open, upstream: app, token: off}
            """;

    private final Started started = new Started();
    private final ServerProcess gateway;
    private final Worker client;

    /**
     * Turn of the client.
     *
     * @param perSecond responses
     * @param cores that the gateway used, 1 for one core all the time
     * @param clientCores that the client used
     */
    record Turn(double perSecond, double cores, double clientCores) {}

    /**
     * Starts the site and mints its tokens.
     *
     * @param name of the site in the folder, and in the progress lines
     * @param type of the tokens, 1 or 2
     */
    ConnectionSite(RunFolder folder, String name, Cores cores, int type, int tokens, int streams) {
        int port = Ports.free();
        int admin = Ports.free();
        int issuer = Ports.free();
        String keys = folder.folder(name + "-keys").toString();
        try {
            Nginx origin = started.add(Nginx.origin(folder, name + "-origin", Cores.LOAD, 128, false));
            started.add(Postern.server(
                    folder,
                    name + "-issuer",
                    Cores.ANY,
                    issuer,
                    "issuer",
                    "--address",
                    "127.0.0.1:" + issuer,
                    "--types",
                    String.valueOf(type),
                    "--private-keys",
                    keys));
            String yaml = YAML.formatted(
                    port,
                    Certificate.in(folder).yaml(),
                    admin,
                    type,
                    issuer,
                    type == 1 ? '"' + keys + '"' : "",
                    origin.port());
            gateway = started.add(Postern.gateway(folder, name, cores, yaml, admin));
            Path file = folder.file(name + "-tokens.txt");
            Progress.say("%s: minting %,d tokens of type %d".formatted(name, tokens, type));
            Postern.call(
                    folder,
                    name + "-mint",
                    PATIENCE,
                    "mint",
                    "--insecure",
                    "https://127.0.0.1:" + port + "/",
                    "-n",
                    String.valueOf(tokens),
                    "-o",
                    file.toString());
            client = started.add(Worker.start(
                    folder,
                    Cores.LOAD,
                    HEAP,
                    RequestWorker.class,
                    String.valueOf(port),
                    "128",
                    String.valueOf(streams),
                    "/=" + file));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Warms client and gateway up by requests without tokens, of which there are not enough for that. */
    void warmUp() {
        client.ask("/open 1 " + OPEN);
        awaitQuiet();
    }

    /** Sends that many requests over the one connection, each with a token that was not used before. */
    Turn turn(int requests) {
        Duration gatewayBefore = gateway.cpu();
        Duration clientBefore = CpuTime.of(client.pid());
        double perSecond = Double.parseDouble(client.ask("/ 1 " + requests));
        double seconds = requests / perSecond;
        return new Turn(
                perSecond,
                gateway.cpu().minus(gatewayBefore).toNanos() / 1e9 / seconds,
                CpuTime.of(client.pid()).minus(clientBefore).toNanos() / 1e9 / seconds);
    }

    void awaitQuiet() {
        gateway.awaitQuiet();
    }

    @Override
    public void close() {
        started.close();
    }
}
