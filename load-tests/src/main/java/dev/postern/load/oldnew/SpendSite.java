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
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Spend site: an issuer, an origin and tokens that each gateway verifies and spends in its own memory. The tokens are
 * bound to no challenge window, so every gateway accepts each of them once, and they are minted once for all starts.
 */
record SpendSite(Plan plan, int issuerPort, Nginx origin, Path tokens) implements Site {
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
        Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
        int issuerPort = Ports.free();
        Postern.issuer(folder, issuerPort);
        SpendSite site = new SpendSite(plan, issuerPort, origin, folder.file("tokens.txt"));
        try (RunFolder start = folder.part("mint")) {
            site.mint(minting, start);
        }
        return site;
    }

    private void mint(Build build, RunFolder start) {
        int rounds = Math.min(plan.rounds(), plan.roundsPerStart());
        int turns = rounds + Alternation.maxVoid(rounds) + 1;
        int count = calls(plan.warmUp()) / 2 + turns * calls(plan.turn());
        GatewayConfig config = config();
        Progress.say("minting %,d tokens", count);
        build.start(start, config);
        Postern.mint(start, "http://127.0.0.1:" + config.port() + "/", count, tokens, List.of());
    }

    private static int calls(Duration length) {
        return WorkerClients.calls(PER_SECOND, length);
    }

    private GatewayConfig config() {
        return GatewayConfig.of(origin.port(), "", SECTIONS.formatted(issuerPort));
    }

    @Override
    public Contender start(Build build, RunFolder start) {
        GatewayConfig config = config();
        ServerProcess gateway = build.start(start, config);
        Worker worker = Worker.start(start, Cores.LOAD, RedeemWorker.class, config.port(), tokens);
        return new WorkerClients(worker, PER_SECOND, List.of("open ", "token "), "token ")
                .contender(build.name(), gateway);
    }
}
