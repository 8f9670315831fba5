package dev.postern.app.context;

import java.util.List;

/**
 * Congestion controls of this kernel, and the reason why a configured one is not in force: it is not loaded, or this process may not use
 * it. The kernel rejects both cases with the same error.
 */
final class CongestionControls {

    private static final String BEST = "bbr";
    private static final int CAP_NET_ADMIN = 12;

    private final ProcFiles proc;

    CongestionControls(ProcFiles proc) {
        this.proc = proc;
    }

    /**
     * @param component such as {@code listener web}
     * @param requested as configured; empty for the system's default, which is then accepted
     * @param found as in force; empty if it can't be read
     */
    ContextItem judge(String component, String requested, String found) {
        String item = component + ".congestion-control";
        if (requested.isEmpty()) {
            return ContextItem.fact(item, found);
        }
        if (!requested.equals(found)) {
            return ContextItem.setting(item, requested, found, missing(requested));
        }
        return ContextItem.setting(
                item, BEST, found, "transport.congestion-control: " + BEST + ", or the key of the same name there.");
    }

    /** Returns the congestion control in force on a socket that requests the given one. */
    String granted(String requested) {
        boolean permitted = allowed().contains(requested) || available().contains(requested) && administers();
        return permitted ? requested : proc.text("sys/net/ipv4/tcp_congestion_control");
    }

    private boolean administers() {
        return proc.text("self/status")
                .lines()
                .filter(line -> line.startsWith("CapEff:"))
                .map(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .anyMatch(held -> (held >> CAP_NET_ADMIN & 1) == 1);
    }

    private String missing(String name) {
        if (!available().contains(name)) {
            return "Not loaded: this kernel has " + String.join(", ", available()) + ". modprobe tcp_" + name + ".";
        }
        return "Not permitted: a process that is not root may use " + String.join(", ", allowed())
                + ". sysctl -w net.ipv4.tcp_allowed_congestion_control=\"" + String.join(" ", allowed()) + " " + name
                + "\".";
    }

    private List<String> available() {
        return proc.words("sys/net/ipv4/tcp_available_congestion_control");
    }

    private List<String> allowed() {
        return proc.words("sys/net/ipv4/tcp_allowed_congestion_control");
    }
}
