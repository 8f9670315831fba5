package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Load row of the table: one load, the peers that are measured under it, and the goals of the gateway.
 *
 * @param body bytes of the origin's response
 * @param comparisons with all other peers of the row
 */
record LoadRow(String name, String title, int body, Load load, List<Comparison> comparisons) {
    private static final int SMALL = 128;

    private static final Goal BELOW = Goal.lessThan(1);

    /** All rows with the goals of the proxy engine. */
    static final List<LoadRow> ALL = List.of(
            new LoadRow(
                    "small-64",
                    "128 B, 64 connections",
                    SMALL,
                    Load.http1(64),
                    List.of(
                            cpu("nginx", Goal.atMost(0.95)),
                            cpu("relay", Goal.atMost(1.1)),
                            cpu("haproxy", BELOW),
                            cpu("vertx", BELOW),
                            cpu("spring-cloud-gateway", BELOW),
                            cpu("nginx-no-keep-alive", null),
                            cpu("postern-io-uring", null))),
            new LoadRow("small-256", "128 B, 256 connections", SMALL, Load.http1(256), smallResponses()),
            new LoadRow("small-2000", "128 B, 2,000 connections", SMALL, Load.http1(2000), smallResponses()),
            new LoadRow(
                    "one-connection",
                    "128 B, one connection",
                    SMALL,
                    Load.http1(1),
                    List.of(
                            new Comparison(Comparison.Kind.ADDED_LATENCY, "relay", Goal.atMost(10)),
                            latency("nginx", null),
                            latency("haproxy", BELOW),
                            latency("vertx", BELOW),
                            latency("spring-cloud-gateway", BELOW))),
            new LoadRow("64k", "64 KiB, 64 connections", 64 << 10, Load.http1(64), largeResponses()),
            new LoadRow("1m", "1 MiB, 64 connections", 1 << 20, Load.http1(64), largeResponses()),
            new LoadRow(
                    "h2",
                    "128 B over HTTP/2, 100 streams",
                    SMALL,
                    Load.http2(1, 100),
                    List.of(
                            cpu("nginx-h2", Goal.atMost(1.25)),
                            cpu("haproxy-h2", BELOW),
                            cpu("vertx", BELOW),
                            cpu("spring-cloud-gateway-h2", BELOW))));

    /** Returns whether the run continues without this peer: its libraries or a feature of the kernel may be missing. */
    static boolean optional(String peer) {
        return peer.equals("vertx") || peer.startsWith("spring-cloud-gateway") || peer.equals("postern-io-uring");
    }

    /** Returns the names of all peers of the row, the gateway last. */
    List<String> peers() {
        List<String> peers = new ArrayList<>();
        comparisons.forEach(comparison -> peers.add(comparison.peer()));
        peers.add(Peer.POSTERN);
        return peers;
    }

    private static List<Comparison> smallResponses() {
        return List.of(
                cpu("nginx", Goal.atMost(1)),
                cpu("haproxy", BELOW),
                cpu("vertx", BELOW),
                cpu("spring-cloud-gateway", BELOW),
                cpu("postern-io-uring", null));
    }

    /** Compares with nginx and its default buffers, which has the goal, and with larger buffers for information. */
    private static List<Comparison> largeResponses() {
        return List.of(
                cpu("nginx", Goal.atMost(0.9)),
                cpu("haproxy", BELOW),
                cpu("vertx", BELOW),
                cpu("spring-cloud-gateway", BELOW),
                cpu("nginx-large-buffers", null));
    }

    static Comparison cpu(String peer, @Nullable Goal goal) {
        return new Comparison(Comparison.Kind.CPU, peer, goal);
    }

    private static Comparison latency(String peer, @Nullable Goal goal) {
        return new Comparison(Comparison.Kind.LATENCY, peer, goal);
    }
}
