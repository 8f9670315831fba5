package dev.postern.load.start;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Jdk;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.NewcomerWorker;
import dev.postern.load.worker.Worker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * First load of a gateway: requests at a fixed rate from the moment when the gateway reports ready. In each round, new gateways
 * take it in turn, and then one that has been warm since before the first round.
 */
final class FirstLoad {
    private static final int CONNECTIONS = 10;
    private static final int LOAD_CONNECTIONS = 64;
    private static final int BODY = 128;
    /** The warm gateway serves a part of the requests, because its cost does not change with time. */
    private static final int WARM_SHARE = 3;

    private final Protocol protocol;
    private final Jdk jdk;
    private final Pace pace;
    private final RunFolder folder;
    private final Certificate certificate;

    /**
     * Pace of a run.
     *
     * @param rounds that count
     * @param rate of requests, per second
     * @param length of the first load
     * @param warmUp load on the warm gateway before the first round
     */
    record Pace(int rounds, int rate, Duration length, Duration warmUp) {}

    /**
     * Load on one gateway.
     *
     * @param cpuMicros of the whole process, per request
     * @param p99Micros latency from when the request was due
     */
    record Load(double cpuMicros, double p99Micros) {}

    /** Round: the load on each kind of new gateway, and on the warm one. */
    record Round(Map<Start, Load> loads, Load warm) {
        Load first(Start start) {
            Load load = loads.get(start);
            if (load == null) {
                throw new IllegalArgumentException("start: " + start + " (expected: one of " + loads.keySet() + ")");
            }
            return load;
        }
    }

    FirstLoad(Protocol protocol, Jdk jdk, Pace pace) {
        this.protocol = protocol;
        this.jdk = jdk;
        this.pace = pace;
        this.folder = RunFolder.create("start-" + protocol.text());
        this.certificate = Certificate.in(folder);
    }

    List<Round> rounds() {
        List<Round> rounds = new ArrayList<>();
        try (Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
                Worker driver = Worker.start(folder, Cores.LOAD, NewcomerWorker.class);
                Peer warm = gateway("warm", origin, Start.SHIPPED.environment(jdk))) {
            warmUp(driver, warm);
            List<Start> order = new ArrayList<>(List.of(Start.values()));
            for (int number = 1; number <= pace.rounds; number++) {
                Map<Start, Load> loads = new EnumMap<>(Start.class);
                for (Start start : order) {
                    try (Peer fresh = gateway(start.name().toLowerCase(Locale.ROOT), origin, start.environment(jdk))) {
                        loads.put(start, load(driver, fresh, pace.length));
                    }
                }
                Round round = new Round(loads, load(driver, warm, pace.length.dividedBy(WARM_SHARE)));
                Progress.say("%s, round %d of %d: warm %s, %s"
                        .formatted(protocol.text(), number, pace.rounds, round.warm, loads));
                rounds.add(round);
                Collections.rotate(order, 1);
            }
        }
        return rounds;
    }

    private Peer gateway(String name, Nginx origin, Map<String, String> environment) {
        return protocol == Protocol.TLS
                ? Peer.posternOverTls(name, folder, origin.port(), environment, certificate)
                : Peer.postern(name, folder, origin.port(), environment);
    }

    /** Warms the gateway up, and the driver, so that its own code is compiled before the first round. */
    private void warmUp(Worker driver, Peer warm) {
        Progress.say("warming up, " + pace.warmUp.toSeconds() + " s");
        URI uri = URI.create(protocol.scheme() + "://127.0.0.1:" + warm.port() + "/");
        Wrk.warmUp(uri, LOAD_CONNECTIONS, pace.warmUp);
        load(driver, warm, pace.warmUp.dividedBy(2));
    }

    private Load load(Worker driver, Peer gateway, Duration length) {
        long calls = pace.rate * Math.max(1, length.toSeconds());
        Duration cpuBefore = gateway.process().cpu();
        Latencies latencies = Latencies.parse(
                driver.ask(gateway.port() + " " + pace.rate + " " + calls + " " + CONNECTIONS + protocol.question()));
        Duration used = gateway.process().cpu().minus(cpuBefore);
        if (latencies.failed() > 0) {
            throw new IllegalStateException(
                    "failed: " + latencies.failed() + " of " + latencies.calls() + " requests (expected: none)");
        }
        return new Load(used.toNanos() / 1e3 / calls, latencies.dueP99());
    }
}
