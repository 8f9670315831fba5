package dev.postern.app.context;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.postern.auth.spend.StoreConnectionInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Context of the ledger's connections. A command in several segments with Nagle's algorithm waits 40 ms for the acknowledgement of the
 * segment before.
 */
public final class LedgerContext implements ContextSource {

    /** Segments per command, with a margin for retransmissions. */
    private static final double ONE = 1.1;

    private final Supplier<List<StoreConnectionInfo>> wires;

    /** @param wires returns the open connections of the ledger */
    public LedgerContext(Supplier<List<StoreConnectionInfo>> wires) {
        this.wires = wires;
    }

    @Override
    public List<ContextItem> items() {
        Map<String, List<StoreConnectionInfo>> byServer =
                wires.get().stream().collect(groupingBy(StoreConnectionInfo::server, TreeMap::new, toList()));
        List<ContextItem> items = new ArrayList<>();
        byServer.forEach((server, all) -> {
            items.add(ContextItem.setting(
                    "ledger " + server + ".tcp-no-delay",
                    "true",
                    Boolean.toString(all.stream().allMatch(StoreConnectionInfo::noDelay)),
                    "The kernel did not apply TCP_NODELAY: look for a library or an agent that sets socket options."));
            items.add(segments(
                    "ledger " + server + ".segments-per-command",
                    all.stream()
                            .mapToDouble(StoreConnectionInfo::segmentsPerCommand)
                            .max()
                            .orElse(Double.NaN)));
        });
        return items;
    }

    private static ContextItem segments(String item, double found) {
        boolean notified = !Double.isNaN(found);
        return ContextItem.judged(
                item,
                "at most 1",
                notified ? String.format(Locale.ROOT, "%.2f", found) : "",
                found <= ONE,
                notified
                        ? "A command must be one write: look for a proxy or an agent between this process and the server."
                        : "The sockets of this client do not report segments; those of memcached.client: netty do.");
    }
}
