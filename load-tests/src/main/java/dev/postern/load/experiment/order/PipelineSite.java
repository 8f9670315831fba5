package dev.postern.load.experiment.order;

import dev.postern.app.socket.Http1Head;
import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.LocalServer;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.worker.Pipelined;
import dev.postern.load.worker.PipelinedWorker;
import dev.postern.load.worker.RequestWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Site of the pipelined requests: the variants of the gateway, which differ in {@code pipeline-depth} and cores only, and its peers, before
 * a slow origin; for the gateway a fast origin, too, and an issuer of tokens of type 1. One process sends all requests.
 */
final class PipelineSite {
    private static final int WARM_UP_REQUESTS = 20_000;
    /** Bytes of the path of a request over HTTP/2, which the origin sends back. */
    private static final String PATH = "/t";

    private static final String YAML = """
        transport: {event-loops: 1}
        listeners:
          - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
          - {name: tls, address: "127.0.0.1:%2$d", mode: reverse, %3$s}
        admin: {address: "127.0.0.1:%4$d"}
        log: {level: warn, successes: 0%%}
        limits: {pipeline-depth: %5$d}
        privacy-pass:
          origin-names: [gateway.example]
          ledger: {when-forgotten: accept}
          token-types: [1]
          issuers:
            - name: "127.0.0.1:%6$d"
              directory: "http://127.0.0.1:%6$d/.well-known/private-token-issuer-directory"
              private-key-files: ["%7$s"]
        upstreams:
          - {name: fast, endpoints: ["127.0.0.1:%8$d"]}
          - {name: slow, endpoints: ["127.0.0.1:%9$d"]}
        routes:
          - {path: /t, upstream: fast, token: required, challenge: {context: empty}}
          - {path: /o, upstream: fast, token: off}
          - {path: /s, upstream: slow, token: off}
        """;

    private final RunFolder folder;
    private final Map<Variant, Gateway> gateways = new LinkedHashMap<>();
    private final Map<String, Peer> peers = new LinkedHashMap<>();
    private final PipelineSettings settings;
    private final LocalServer slow;
    private final Nginx fast;
    private final Worker client;
    private final int issuer = Ports.free();
    private final String keys;
    private final Path pipelined;
    private final Path forStreams;

    /**
     * A variant of the gateway.
     *
     * @param port without TLS
     * @param streams client with one HTTP/2 connection
     */
    private record Gateway(ServerProcess process, int port, Worker streams) {}

    PipelineSite(RunFolder folder, PipelineSettings settings) {
        this.folder = folder;
        this.settings = settings;
        keys = folder.folder("keys").toString();
        pipelined = folder.file("tokens-http1.txt");
        forStreams = folder.file("tokens-http2.txt");
        slow = folder.add(Unchecked.get(() -> LocalServer.start("slow-origin", LocalServer.of(this::slowly))));
        fast = Nginx.echo(folder, "origin", Cores.LOAD);
        Postern.issuer(folder, issuer, "--types", "1", "--private-keys", keys);
        client = Worker.start(folder, Cores.LOAD, PipelinedWorker.class);
        for (Variant variant : Variant.ALL) {
            gateways.put(variant, start(variant));
        }
        for (String name : Kind.HTTP.peers()) {
            peers.put(name, Peer.start(name, folder, slow.port()));
        }
    }

    /** Responds after the delay and with the requested path. */
    private LocalServer.Response slowly(Http1Head request) {
        long end = System.nanoTime() + settings.delay().toNanos();
        for (long left = settings.delay().toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return LocalServer.Response.ok("", Http1Socket.bytes(request.word(1)));
    }

    private Gateway start(Variant variant) {
        int port = Ports.free();
        int tls = Ports.free();
        int admin = Ports.free();
        String name = "depth-" + variant.depth() + "-" + variant.cores();
        String yaml = YAML.formatted(
                port,
                tls,
                Certificate.in(folder).yaml(),
                admin,
                variant.depth(),
                issuer,
                keys,
                fast.port(),
                slow.port());
        ServerProcess process = Postern.gateway(folder, name, variant.cores(), yaml, admin);
        if (gateways.isEmpty()) {
            mint(port);
        }
        Worker streams =
                Worker.start(folder, Cores.LOAD, RequestWorker.class, tls, 1, settings.streams(), PATH, forStreams);
        return new Gateway(process, port, streams);
    }

    /** Gets the tokens, each of which every gateway accepts once: their challenges are equal, and each has a ledger of its own. */
    private void mint(int port) {
        for (Path file : List.of(pipelined, forStreams)) {
            Progress.say("minting %,d tokens of type 1", settings.allTokens());
            Postern.mint(folder, "http://127.0.0.1:" + port + PATH, settings.allTokens(), file, List.of());
        }
    }

    /** Lets each gateway and the client run through the code that is measured. */
    void warmUp() {
        gateways.forEach((variant, gateway) -> {
            Progress.say("warming up, " + variant);
            pipelined(gateway.port, "/o/", WARM_UP_REQUESTS, "");
            for (int turn = 0; turn < settings.warmUp(); turn++) {
                tokens(gateway);
                streams(gateway);
            }
        });
    }

    PipelineRound round() {
        Map<String, Pipelined> slowly = new LinkedHashMap<>();
        Map<String, Pipelined> quickly = new LinkedHashMap<>();
        Map<String, Pipelined> withTokens = new LinkedHashMap<>();
        Map<String, Double> cores = new LinkedHashMap<>();
        Map<String, Double> streams = new HashMap<>();
        gateways.forEach((variant, gateway) -> {
            String name = variant.toString();
            slowly.put(name, pipelined(gateway.port, "/s/", settings.atOnce(), ""));
            quickly.put(name, pipelined(gateway.port, "/o/", settings.fast(), ""));
            Duration before = gateway.process.cpu();
            Pipelined tokens = tokens(gateway);
            double seconds = gateway.process.cpu().minus(before).toNanos() / 1e9;
            withTokens.put(name, tokens);
            cores.put(name, seconds / tokens.throughput().seconds());
            if (variant.depth() == Variant.DEPTH) {
                streams.put(name, streams(gateway));
            }
            gateway.process.awaitQuiet();
        });
        peers.forEach((name, peer) -> slowly.put(name, pipelined(peer.port(), "/s/", settings.atOnce(), "")));
        return new PipelineRound(slowly, quickly, withTokens, cores, streams);
    }

    private Pipelined tokens(Gateway gateway) {
        return pipelined(gateway.port, PATH + "/", settings.tokens(), " " + pipelined);
    }

    private double streams(Gateway gateway) {
        return gateway.streams.ask(PATH + " " + settings.tokens(), Double.class);
    }

    private Pipelined pipelined(int port, String path, int requests, String tokens) {
        return client.ask(port + " " + path + " " + settings.atOnce() + " " + requests + tokens, Pipelined.class);
    }
}
