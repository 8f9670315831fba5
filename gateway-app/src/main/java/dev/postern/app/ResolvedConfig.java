package dev.postern.app;

import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import java.util.List;
import java.util.Map;

/**
 * Resolved configuration: the settings of the components that a reload may replace, with the contents of their files. A plain value.
 *
 * @param routing without upstreams and limits
 * @param upstreams by name
 */
record ResolvedConfig(RoutingSnapshot routing, Map<String, UpstreamSpec> upstreams, List<ListenerSettings> listeners) {

    /** Nothing, before the first configuration. */
    static final ResolvedConfig NONE = new ResolvedConfig(RoutingSnapshot.of(List.of()), Map.of(), List.of());

    ResolvedConfig {
        upstreams = Map.copyOf(upstreams);
        listeners = List.copyOf(listeners);
    }
}
