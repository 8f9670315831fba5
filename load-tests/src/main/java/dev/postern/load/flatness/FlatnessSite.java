package dev.postern.load.flatness;

import dev.postern.load.flatness.Step.Proxy;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.CProgram;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Launcher;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Readiness;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.server.Started;
import dev.postern.load.worker.FlatnessWorker;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Site of a flatness run: one gateway for all kinds, and for each kind a relay and a worker, which is client and destination. Gateway and
 * relays have the measured core, the rest has the other one.
 */
final class FlatnessSite implements AutoCloseable {
    /**
     * A heap of fixed size and a small young generation, which the warm-up touches from end to end: resident memory then grows by what is
     * live only.
     */
    private static final String HEAP = "-Xms256m -Xmx256m -Xmn16m -XX:+UseSerialGC";

    private static final int BODY = 200;

    private static final String GATEWAY = """
            transport: {event-loops: 1}
            listeners:
              - {name: out, address: "127.0.0.1:%d", mode: forward, forward: all}
              - {name: web, address: "127.0.0.1:%d", mode: reverse}
            admin: {address: "127.0.0.1:%d"}
            limits: {keep-alive-timeout: 3600s}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"]}
            routes:
              - {host: "*", path: /, upstream: app, token: off}
            """ + Postern.FORWARD_ALL;

    private final RunFolder folder = RunFolder.create("flatness");
    private final Started started = new Started();
    private final Map<String, Worker> workers = new HashMap<>();
    private final int out = Ports.free();
    private final int web = Ports.free();
    private final int admin = Ports.free();
    private final ServerProcess gateway;
    private final int rate;

    /** @param rate of the messages of all tunnels together, per second */
    FlatnessSite(List<String> kinds, int rate) {
        this.rate = rate;
        try {
            int origin = kinds.contains("http")
                    ? started.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false))
                            .port()
                    : Ports.free();
            gateway = started.add(Postern.gateway(
                    folder,
                    "postern",
                    Cores.MEASURED,
                    GATEWAY.formatted(out, web, admin, origin),
                    admin,
                    Launcher.own().with(Map.of("POSTERN_JAVA_OPTS", HEAP))));
            Path relay = CProgram.compile(folder, "relay");
            for (String kind : kinds) {
                workers.put(kind, worker(kind, relay, kind.equals("http") ? origin : Ports.free()));
            }
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private Worker worker(String kind, Path relay, int destination) {
        int port = Ports.free();
        List<String> command = List.of(relay.toString(), String.valueOf(port), String.valueOf(destination));
        Worker worker = started.add(Worker.start(
                folder,
                Cores.LOAD,
                FlatnessWorker.class,
                kind,
                String.valueOf(kind.equals("http") ? web : out),
                String.valueOf(port),
                String.valueOf(destination)));
        // The relay dials for each connection that it accepts, even for the probe: the destination must be there first.
        worker.ask("hold " + Proxy.GATEWAY + " 1");
        started.add(ServerProcess.start(folder, "relay-" + kind, Cores.MEASURED, command)
                .await(Duration.ofSeconds(10), Readiness.accepts(port)));
        return worker;
    }

    void warmUp(String kind, Duration length) {
        Progress.say("warming up, %s, %d s".formatted(kind, 2 * length.toSeconds()));
        for (Proxy proxy : Proxy.values()) {
            hold(kind, proxy, Cycle.PLAN.get(1));
            load(kind, proxy, length);
        }
    }

    Cycle cycle(String kind, Duration step) {
        return new Cycle(
                kind, Cycle.PLAN.stream().map(open -> step(kind, open, step)).toList());
    }

    private Step step(String kind, int open, Duration length) {
        Progress.say("  %s, %,d open, %d s".formatted(kind, open, 2 * length.toSeconds()));
        hold(kind, Proxy.GATEWAY, open);
        hold(kind, Proxy.RELAY, open);
        gateway.awaitQuiet();
        Latencies throughGateway = load(kind, Proxy.GATEWAY, length);
        Latencies throughRelay = load(kind, Proxy.RELAY, length);
        gateway.awaitQuiet();
        Step step = new Step(open, throughGateway, throughRelay, State.of(gateway.pid(), admin));
        Progress.say("  %s, %,d open: gateway p50 %.1f, p99 %.0f us; relay p50 %.1f, p99 %.0f us; %s"
                .formatted(
                        kind,
                        open,
                        step.p50(Proxy.GATEWAY),
                        step.p99(Proxy.GATEWAY),
                        step.p50(Proxy.RELAY),
                        step.p99(Proxy.RELAY),
                        step.state()));
        return step;
    }

    private void hold(String kind, Proxy proxy, int open) {
        worker(kind).ask("hold " + proxy + " " + open);
    }

    private Latencies load(String kind, Proxy proxy, Duration length) {
        return Latencies.parse(
                worker(kind).ask("load " + proxy + " " + rate + " " + Math.max(1, rate * length.toMillis() / 1_000)));
    }

    private Worker worker(String kind) {
        Worker worker = workers.get(kind);
        if (worker == null) {
            throw new IllegalArgumentException("kind: " + kind + " (expected: one of " + workers.keySet() + ")");
        }
        return worker;
    }

    @Override
    public void close() {
        started.close();
    }
}
