package dev.postern.load.oldnew;

import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Contender;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Spend site: an issuer, an origin and tokens that each gateway verifies and spends in its own memory. The tokens are
 * bound to no challenge window, so every gateway accepts each of them once, and they are minted once for all starts.
 */
record SpendSite(RunFolder folder, Plan plan, int issuerPort, Nginx origin, Path tokens, Started servers)
        implements Site {
    private static final String SECTIONS = """
            privacy-pass:
              origin-names: [gateway.example]
              issuers:
                - {name: "127.0.0.1:%1$d", directory: "http://127.0.0.1:%1$d/.well-known/private-token-issuer-directory"}
              ledger: {store: embedded, when-forgotten: accept}
            routes:
              - {host: "*", path: /, upstream: app, token: required, challenge: {context: empty}}
              - {host: "*", path: /open, upstream: app, token: off}
            """;

    private static final int BODY = 128;
    private static final int PER_SECOND = 8_000;

    /** Starts the servers and mints the tokens of one start. */
    static SpendSite open(RunFolder folder, Plan plan, Build minting) {
        Started servers = new Started();
        try {
            Nginx origin = servers.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
            int issuerPort = Ports.free();
            servers.add(Postern.server(
                    folder, "issuer", Cores.ANY, issuerPort, "issuer", "--address", "127.0.0.1:" + issuerPort));
            SpendSite site = new SpendSite(folder, plan, issuerPort, origin, folder.file("tokens.txt"), servers);
            site.mint(minting);
            return site;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void mint(Build build) {
        int rounds = Math.min(plan.rounds(), plan.roundsPerStart());
        int turns = rounds + Alternation.maxVoid(rounds) + 1;
        int count = calls(plan.warmUp()) / 2 + turns * calls(plan.turn());
        GatewayConfig config = config();
        Progress.say("minting %,d tokens".formatted(count));
        try (Started gateway = new Started()) {
            gateway.add(build.start(folder, config));
            Postern.mint(folder, "http://127.0.0.1:" + config.port() + "/", count, tokens, List.of());
        }
    }

    private static int calls(Duration length) {
        return WorkerClients.calls(PER_SECOND, length);
    }

    private GatewayConfig config() {
        return GatewayConfig.of(origin.port(), "", SECTIONS.formatted(issuerPort));
    }

    @Override
    public Contender start(Build build, Started started) {
        GatewayConfig config = config();
        ServerProcess gateway = started.add(build.start(folder, config));
        String port = String.valueOf(config.port());
        Worker worker = started.add(Worker.start(folder, Cores.LOAD, RedeemWorker.class, port, tokens.toString()));
        return new GatewayContender(
                build.name(), gateway, new WorkerClients(worker, PER_SECOND, List.of("open ", "token "), "token "));
    }

    @Override
    public void close() {
        servers.close();
    }
}
