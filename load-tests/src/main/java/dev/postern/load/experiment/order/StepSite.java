package dev.postern.load.experiment.order;

import dev.postern.load.measure.Known;
import dev.postern.load.measure.ProcessStatus;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.CProgram;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.worker.FlowWorker;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Throughput;
import dev.postern.load.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Site of the steps: one gateway for all kinds, and for each kind its peers and a worker, which is client and destination. All proxies have
 * the measured core, the rest has the other one.
 */
final class StepSite {
    /**
     * A heap of fixed size and a small young generation, which the warm-up touches from end to end: resident memory then grows by what is
     * live only. Each full collection compacts all of it: otherwise three of four leave gaps, which the histogram counts as live.
     */
    private static final String HEAP = "-Xms256m -Xmx256m -Xmn16m -XX:+UseSerialGC -XX:MarkSweepAlwaysCompactCount=1";

    private static final String GATEWAY = """
            transport: {event-loops: 1}
            listeners:
              - {name: out, address: "127.0.0.1:%d", mode: forward, forward: all}
              - {name: web, address: "127.0.0.1:%d", mode: reverse}
            admin: {address: "127.0.0.1:%d"}
            limits: {keep-alive-timeout: 3600s}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"], pool: {max-connections: 4096, max-pending: 4096}}
            routes:
              - {host: "*", path: /, upstream: app, token: off}
            """ + Postern.FORWARD_ALL;

    private static final String RELAY = "relay";

    private final RunFolder folder;
    private final Map<Kind, Worker> workers = new EnumMap<>(Kind.class);
    private final Map<Kind, Map<String, ServerProcess>> proxies = new EnumMap<>(Kind.class);
    private final int out = Ports.free();
    private final int web = Ports.free();
    private final int admin = Ports.free();
    private final ServerProcess gateway;
    private final int rate;

    /** @param rate of the round trips over all tunnels together, per second */
    StepSite(RunFolder folder, List<Kind> kinds, int rate) {
        this.folder = folder;
        this.rate = rate;
        int origin = Nginx.echo(folder, "origin", Cores.LOAD).port();
        String yaml = GATEWAY.formatted(out, web, admin, origin);
        gateway = Postern.gateway(folder, "postern", Cores.MEASURED, yaml, admin, Map.of("POSTERN_JAVA_OPTS", HEAP));
        for (Kind kind : kinds) {
            if (kind == Kind.HTTP) {
                startHttp(origin);
            } else {
                startTunnels(kind);
            }
        }
    }

    private void startHttp(int origin) {
        Map<String, ServerProcess> processes = new LinkedHashMap<>(Map.of(Step.GATEWAY, gateway));
        List<String> ports = new ArrayList<>(List.of(Step.GATEWAY + "=" + web));
        for (String name : Kind.HTTP.peers()) {
            Peer peer = Peer.start(name, folder, origin);
            processes.put(name, peer.process());
            ports.add(name + "=" + peer.port());
        }
        proxies.put(Kind.HTTP, processes);
        startWorker(Kind.HTTP, origin, ports);
    }

    private void startTunnels(Kind kind) {
        int destination = Ports.free();
        int port = Ports.free();
        Worker worker = startWorker(kind, destination, List.of(Step.GATEWAY + "=" + out, RELAY + "=" + port));
        // The relay dials for each connection that it accepts, even for the probe: the destination must be there first.
        worker.ask("hold " + Step.GATEWAY + " 1");
        ServerProcess relay = CProgram.relay(folder, RELAY + "-" + kind, port, destination);
        Map<String, ServerProcess> processes = new LinkedHashMap<>(Map.of(Step.GATEWAY, gateway));
        processes.put(RELAY, relay);
        proxies.put(kind, processes);
    }

    private Worker startWorker(Kind kind, int destination, List<String> ports) {
        List<Object> arguments = new ArrayList<>(List.of(kind, destination));
        arguments.addAll(ports);
        Worker worker = Worker.start(folder, Cores.LOAD, FlowWorker.class, arguments.toArray());
        workers.put(kind, worker);
        return worker;
    }

    void warmUp(Kind kind, Duration length) {
        for (String proxy : proxies(kind).keySet()) {
            Progress.say("warming up %s of %s, %.1f s", kind, proxy, length.toMillis() / 1e3);
            hold(kind, proxy, Cycle.PLAN.get(1));
            load(kind, proxy, length.dividedBy(2));
            stream(kind, proxy, length.dividedBy(2));
        }
    }

    /** @param number of the cycle, by which the order of the proxies changes */
    Cycle cycle(Kind kind, int number, Duration turn) {
        List<String> order = new ArrayList<>(proxies(kind).keySet());
        Collections.rotate(order, number);
        return new Cycle(
                kind,
                IntStream.range(0, Cycle.PLAN.size())
                        .mapToObj(step -> step(kind, Cycle.PLAN.get(step), order, turn))
                        .toList());
    }

    private Step step(Kind kind, int open, List<String> order, Duration turn) {
        order.forEach(proxy -> hold(kind, proxy, open));
        gateway.awaitQuiet();
        Map<String, Turn> turns = new HashMap<>();
        for (String proxy : order) {
            Latencies trips = load(kind, proxy, turn.dividedBy(2));
            Throughput stream = stream(kind, proxy, turn.dividedBy(2));
            long pid = process(kind, proxy).pid();
            turns.put(proxy, new Turn(trips, stream, ProcessStatus.workThreads(pid), ProcessStatus.resident(pid)));
        }
        gateway.awaitQuiet();
        Step step = new Step(open, turns, State.of(gateway.pid(), admin));
        Progress.say("  %s, %,d open: %s", kind, open, step.state());
        for (String proxy : order) {
            Turn done = step.of(proxy);
            Progress.say(
                    "    %-7s  p50 %.1f, p99 %.0f us; %,.0f messages/s, %d out of order, %d missing",
                    proxy,
                    done.p50(),
                    done.p99(),
                    done.stream().perSecond(),
                    done.stream().outOfOrder(),
                    done.stream().missing());
        }
        return step;
    }

    private void hold(Kind kind, String proxy, int open) {
        worker(kind).ask("hold " + proxy + " " + open);
    }

    private Latencies load(Kind kind, String proxy, Duration length) {
        long calls = Math.max(1, rate * length.toMillis() / 1_000);
        return worker(kind).ask("load " + proxy + " " + rate + " " + calls, Latencies.class);
    }

    private Throughput stream(Kind kind, String proxy, Duration length) {
        return worker(kind).ask("stream " + proxy + " " + length.toMillis(), Throughput.class);
    }

    private Worker worker(Kind kind) {
        return Known.in(workers, "kind", kind);
    }

    private Map<String, ServerProcess> proxies(Kind kind) {
        return Known.in(proxies, "kind", kind);
    }

    private ServerProcess process(Kind kind, String proxy) {
        return Known.in(proxies(kind), "proxy", proxy);
    }
}
