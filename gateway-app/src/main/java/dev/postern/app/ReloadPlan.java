package dev.postern.app;

import dev.postern.core.server.ListenerSettings;
import dev.postern.core.tls.ServerTls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plan of a reload: which components stay, which are made anew and which go. Unchanged ones stay, with their connections, counts and
 * waiting clients. A plain value of a pure function, which {@link ConfigApplier} carries out.
 *
 * @param next what is in force afterwards: of components that stay, the very settings of before
 * @param kept names of the upstreams that stay
 * @param removed names that have no upstream any more
 */
record ReloadPlan(ResolvedConfig next, Set<String> kept, Set<String> removed) {

    ReloadPlan {
        kept = Set.copyOf(kept);
        removed = Set.copyOf(removed);
    }

    /**
     * Compares two configurations.
     *
     * @param running in force now
     * @param wanted to be in force next
     */
    static ReloadPlan of(ResolvedConfig running, ResolvedConfig wanted) {
        Map<String, UpstreamSpec> upstreams = new HashMap<>(wanted.upstreams());
        Set<String> kept = new HashSet<>();
        Set<String> removed = new HashSet<>();
        running.upstreams().forEach((name, known) -> {
            UpstreamSpec spec = upstreams.get(name);
            if (spec == null) {
                removed.add(name);
            } else if (known.same(spec)) {
                upstreams.put(name, known);
                kept.add(name);
            }
        });
        List<ListenerSettings> listeners = wanted.listeners().stream()
                .map(listener -> withKnownTls(listener, running.listeners()))
                .toList();
        return new ReloadPlan(new ResolvedConfig(wanted.routing(), upstreams, listeners), kept, removed);
    }

    /** Keeps the TLS context of the listener if its settings are unchanged, so that clients can still resume their TLS sessions. */
    private static ListenerSettings withKnownTls(ListenerSettings wanted, List<ListenerSettings> running) {
        ServerTls tls = wanted.tls();
        if (tls == null) {
            return wanted;
        }
        for (ListenerSettings previous : running) {
            ServerTls known = previous.tls();
            if (previous.listener().name().equals(wanted.listener().name()) && known != null && known.same(tls)) {
                return wanted.with(known);
            }
        }
        return wanted;
    }

    /** Returns whether that upstream is the one of before. */
    boolean keeps(String upstream) {
        return kept.contains(upstream);
    }
}
