package dev.postern.load.oldnew;

import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Contender;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.worker.AdmittedWorker;
import dev.postern.load.worker.Worker;
import java.util.List;

/** Room site: an origin behind gateways with a waiting room in their memory; half of the sessions is admitted, the others wait and poll. */
record RoomSite(Nginx origin) implements Site {
    private static final String SECTIONS = """
        rate-limits:
          - name: queue
            rate: 1/h
            burst: 0
            fair-queue: {active-sessions: %d, per-session-rate: 0, pass: 1h, idle: 10m, absence: 5m}
        routes:
          - {host: "*", path: /, upstream: app, token: off, rate-limit: queue}
        """;

    private static final String ROOM = "queue";
    private static final int BODY = 128;
    private static final int ADMITTED = 32;
    private static final int PER_SECOND = 12_000;

    static RoomSite open(RunFolder folder) {
        return new RoomSite(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
    }

    @Override
    public Contender start(Build build, RunFolder start) {
        GatewayConfig config = GatewayConfig.of(origin.port(), "", SECTIONS.formatted(ADMITTED));
        ServerProcess gateway = build.start(start, config);
        Worker worker = Worker.start(start, Cores.LOAD, AdmittedWorker.class, config.port(), ADMITTED, ROOM);
        Progress.say(build.name() + ": " + worker.ask("admit"));
        return new WorkerClients(worker, PER_SECOND, List.of(""), "").contender(build.name(), gateway);
    }
}
