package dev.postern.load.experiment.order;

import dev.postern.load.measure.Goal;
import java.util.List;

/** Kind of what is open in a step. */
enum Kind {
    /** Kept-alive connections, whose requests go to an origin that sends the path back. */
    HTTP("http", Goal.atMost(1.20), List.of("nginx", "haproxy", "caddy")),
    /** TCP tunnels to an echo. */
    TCP("tcp", Goal.atMost(1.15), List.of("relay")),
    /** UDP tunnels to an echo; the relay passes the same capsules on to an echo over TCP. */
    UDP("udp", Goal.atMost(1.15), List.of("relay"));

    private final String label;
    private final Goal atTheTop;
    private final List<String> peers;

    Kind(String label, Goal atTheTop, List<String> peers) {
        this.label = label;
        this.atTheTop = atTheTop;
        this.peers = peers;
    }

    /** Returns the goal of the median at 1,000 divided by that at 10. */
    Goal atTheTop() {
        return atTheTop;
    }

    /** Returns the proxies that get the same steps, without goals. */
    List<String> peers() {
        return peers;
    }

    @Override
    public String toString() {
        return label;
    }
}
