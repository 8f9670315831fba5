package dev.postern.app.context;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.core.transport.EffectiveSocketOptions;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Context of the connections: transport, socket options in force, reuse towards upstreams, and the ledger's commands. */
final class ConnectionContext {

    private static final String NO_DELAY = "transport.tcp-no-delay: true.";
    private static final String IGNORED_NO_DELAY =
            "The kernel did not apply TCP_NODELAY: look for a library or an agent that sets socket options.";
    private static final String IGNORED_NOT_SENT =
            "The kernel did not apply TCP_NOTSENT_LOWAT: look for a library or an agent that sets socket options.";

    /** Segments per command, with a margin for retransmissions. */
    private static final double ONE = 1.1;

    private ConnectionContext() {}

    /**
     * Reads the transport and the options before any socket is open, so that a wrong setting is reported at the start.
     *
     * @param requested options of every socket whose listener or upstream configures no others
     */
    static List<ContextItem> transport(Transport transport, SocketOptions requested, ProcFiles proc) {
        CongestionControls controls = new CongestionControls(proc);
        String control = requested.congestionControl();
        return List.of(
                ContextItem.judged(
                        "transport",
                        "epoll or io_uring",
                        transport.name(),
                        transport.isNative(),
                        "transport.kind: auto, on Linux with the native library. Reason for the present transport: "
                                + transport.why() + "."),
                ContextItem.setting("transport.tcp-no-delay", "true", Boolean.toString(requested.noDelay()), NO_DELAY),
                controls.judge("transport", control, controls.granted(control)));
    }

    /** Reads the options of a sample of the open sockets. */
    static List<ContextItem> sockets(SocketOptionsMonitor sockets, ProcFiles proc) {
        CongestionControls controls = new CongestionControls(proc);
        List<ContextItem> items = new ArrayList<>();
        for (SocketOptionsMonitor.Backlog backlog : sockets.backlogs()) {
            String wanted = Integer.toString(backlog.wanted());
            items.add(ContextItem.setting(
                    backlog.component() + ".backlog",
                    wanted,
                    Integer.toString(backlog.found()),
                    "sysctl -w net.core.somaxconn=" + wanted + "; then restart."));
        }
        for (SocketOptionsMonitor.Seen seen : sockets.seen()) {
            String owner = seen.component();
            String control = seen.wanted().congestionControl();
            EffectiveSocketOptions one = seen.found().get(0);
            items.add(ContextItem.setting(
                    owner + ".tcp-no-delay",
                    "true",
                    worst(seen, options -> Boolean.toString(options.noDelay()), "true"),
                    seen.wanted().noDelay() ? IGNORED_NO_DELAY : NO_DELAY));
            items.add(controls.judge(owner, control, worst(seen, EffectiveSocketOptions::congestionControl, control)));
            int notSent = seen.wanted().notSentLowWaterMark();
            if (notSent > 0 && one.notSentLowWaterMark() >= 0) {
                String wanted = Integer.toString(notSent);
                items.add(ContextItem.setting(
                        owner + ".not-sent-low-water-mark",
                        wanted,
                        worst(seen, options -> Integer.toString(options.notSentLowWaterMark()), wanted),
                        IGNORED_NOT_SENT));
            }
            items.add(ContextItem.measure(owner + ".send-buffer-bytes", Integer.toString(one.sendBuffer())));
            items.add(ContextItem.measure(owner + ".receive-buffer-bytes", Integer.toString(one.receiveBuffer())));
        }
        return items;
    }

    /** Returns the value of the first socket that differs from the good value; otherwise the good value. */
    private static String worst(
            SocketOptionsMonitor.Seen seen, Function<EffectiveSocketOptions, String> options, String good) {
        List<String> found = seen.found().stream().map(options).toList();
        return found.stream().filter(one -> !one.equals(good)).findFirst().orElse(found.get(0));
    }

    /** Reads whether connections are reused. Without reuse a gateway loses three quarters of its throughput without any error. */
    static List<ContextItem> upstreams(Upstreams upstreams) {
        return upstreams.all().stream()
                .sorted(Comparator.comparing(Upstream::name))
                .map(upstream -> ContextItem.setting(
                        "upstream " + upstream.name() + ".keep-alive",
                        "true",
                        Boolean.toString(upstream.settings().pool().keepAlive()
                                && upstream.settings().pool().requests() != 1),
                        "upstreams: " + upstream.name() + ": pool: {keep-alive: true, requests: 0}."))
                .toList();
    }

    /**
     * Reads the ledger's connections by server. A command in several segments with Nagle's algorithm waits 40 ms for the acknowledgement of
     * the segment before.
     */
    static List<ContextItem> ledger(List<StoreConnectionInfo> connections) {
        Map<String, List<StoreConnectionInfo>> byServer =
                connections.stream().collect(groupingBy(StoreConnectionInfo::server, TreeMap::new, toList()));
        List<ContextItem> items = new ArrayList<>();
        byServer.forEach((server, all) -> {
            double segments = all.stream()
                    .mapToDouble(StoreConnectionInfo::segmentsPerCommand)
                    .max()
                    .orElse(Double.NaN);
            boolean known = !Double.isNaN(segments);
            items.add(ContextItem.setting(
                    "ledger " + server + ".tcp-no-delay",
                    "true",
                    Boolean.toString(all.stream().allMatch(StoreConnectionInfo::noDelay)),
                    IGNORED_NO_DELAY));
            items.add(
                    ContextItem.judged(
                            "ledger " + server + ".segments-per-command",
                            "at most 1",
                            known ? String.format(Locale.ROOT, "%.2f", segments) : "",
                            segments <= ONE,
                            known
                                    ? "A command must be one write: look for a proxy or an agent between this process and the server."
                                    : "The sockets of this client do not report segments; those of memcached.client: netty do."));
        });
        return items;
    }
}
