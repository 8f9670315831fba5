package dev.postern.app.context;

import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Context of upstreams: whether connections are reused. Without reuse a gateway loses three quarters of its throughput without any error.
 */
public final class UpstreamContext implements ContextSource {

    private final Supplier<Upstreams> upstreams;

    /** @param upstreams returns the upstreams in force */
    public UpstreamContext(Supplier<Upstreams> upstreams) {
        this.upstreams = upstreams;
    }

    @Override
    public List<ContextItem> items() {
        return upstreams.get().all().stream()
                .sorted(Comparator.comparing(Upstream::name))
                .map(UpstreamContext::keepAlive)
                .toList();
    }

    private static ContextItem keepAlive(Upstream upstream) {
        boolean repeated = upstream.settings().pool().keepAlive()
                && upstream.settings().pool().requests() != 1;
        return ContextItem.setting(
                "upstream " + upstream.name() + ".keep-alive",
                "true",
                Boolean.toString(repeated),
                "upstreams: " + upstream.name() + ": pool: {keep-alive: true, requests: 0}.");
    }
}
