package dev.postern.app.context;

import java.util.List;

/** Context of the kernel: its limits for open files, ports towards upstreams, and connections in the accept queue. */
public final class KernelContext implements ContextSource {

    private final ProcFiles proc;
    private final Needs needs;

    /**
     * Maximum needs of the configuration.
     *
     * @param connections of clients and upstreams together
     * @param clients of these, connections of clients
     * @param granted connections of clients that can be open at once
     * @param towardsOne connections to one upstream, which may be one address
     */
    public record Needs(int connections, int clients, int granted, int towardsOne) {}

    public KernelContext(ProcFiles proc, Needs needs) {
        this.proc = proc;
        this.needs = needs;
    }

    @Override
    public List<ContextItem> items() {
        return List.of(
                files(),
                clients(),
                ports(),
                ContextItem.fact("kernel.somaxconn", proc.text("sys/net/core/somaxconn")),
                ContextItem.fact("kernel.congestion-control", proc.text("sys/net/ipv4/tcp_congestion_control")),
                ContextItem.fact(
                        "kernel.congestion-controls", proc.text("sys/net/ipv4/tcp_available_congestion_control")),
                ContextItem.fact(
                        "kernel.congestion-controls-allowed",
                        proc.text("sys/net/ipv4/tcp_allowed_congestion_control")));
    }

    /** Compares the limit of open files with the needs: each connection is an open file. */
    private ContextItem files() {
        String found = proc.text("self/limits")
                .lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split("\\s+")[3])
                .findFirst()
                .orElse("");
        boolean enough = found.equals("unlimited") || !found.isEmpty() && Long.parseLong(found) >= needs.connections;
        return ContextItem.judged(
                "process.open-files",
                "at least " + needs.connections,
                found,
                enough,
                "ulimit -n (LimitNOFILE= of systemd), or less in limits.connections and pool.max-connections.");
    }

    private ContextItem clients() {
        String wanted = Integer.toString(needs.clients);
        return ContextItem.setting(
                "limits.connections",
                wanted,
                Integer.toString(needs.granted),
                "ulimit -n (LimitNOFILE= of systemd): descriptors for files, stores, probes and upstreams are reserved.");
    }

    private ContextItem ports() {
        List<String> range = proc.words("sys/net/ipv4/ip_local_port_range");
        String found = String.join("-", range);
        boolean enough = range.size() == 2
                && Integer.parseInt(range.get(1)) - Integer.parseInt(range.get(0)) >= needs.towardsOne;
        return ContextItem.judged(
                "kernel.port-range",
                needs.towardsOne + " ports or more",
                found,
                enough,
                "sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\".");
    }
}
