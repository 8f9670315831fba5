package dev.postern.load.experiment.keepalive;

import dev.postern.load.peer.Peer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Variant of the experiment: the origin without a proxy, the gateway with certain settings, or another proxy.
 *
 * @param name in table and charts; of another proxy the kind, as {@link Peer#start} knows it
 * @param gateway settings of a gateway; null for all others
 */
record Variant(String name, @Nullable Gateway gateway) {
    /**
     * Settings of a gateway.
     *
     * @param pool keys of the connection pool, each with a comma
     * @param flags of its JVM
     */
    record Gateway(String pool, String flags) {
        Map<String, String> environment() {
            return flags.isEmpty() ? Map.of() : Map.of("POSTERN_JAVA_OPTS", flags);
        }
    }

    static final String DIRECT = "direct";
    static final String POSTERN = "postern";
    static final String WITHOUT = "postern-no-keep-alive";
    static final String INTERPRETED = "postern-interpreted";
    static final String C1 = "postern-c1";
    static final String NGINX = "nginx";
    static final String NGINX_AGAIN = "nginx-again";
    static final String NGINX_WITHOUT = "nginx-no-keep-alive";
    static final String RELAY = "relay";

    /** Proxies with kept-alive connections whose CPU time per request must exceed the gateway's. */
    static final List<String> PROXIES = List.of(NGINX, "haproxy", "vertx", "spring-cloud-gateway");

    static final List<Variant> ALL = List.of(
            other(DIRECT),
            other(RELAY),
            gateway(WITHOUT, "keep-alive: false, ", ""),
            gateway(POSTERN, "", ""),
            gateway(C1, "", "-XX:TieredStopAtLevel=1"),
            gateway(INTERPRETED, "", "-Xint"),
            other(NGINX_WITHOUT),
            other(NGINX),
            other(NGINX_AGAIN),
            other("haproxy"),
            other("vertx"),
            other("spring-cloud-gateway"));

    private static Variant gateway(String name, String pool, String flags) {
        return new Variant(name, new Gateway(pool, flags));
    }

    private static Variant other(String kind) {
        return new Variant(kind, null);
    }

    /** Returns whether compilers make the variant faster while it runs; all others need hardly any warm-up. */
    boolean getsFaster() {
        return optional() || gateway != null && !gateway.flags.equals("-Xint");
    }

    /** Returns whether the experiment continues without the variant: the libraries of a peer may be missing. */
    boolean optional() {
        return name.equals("vertx") || name.equals("spring-cloud-gateway");
    }
}
