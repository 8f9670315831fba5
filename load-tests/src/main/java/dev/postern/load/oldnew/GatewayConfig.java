package dev.postern.load.oldnew;

import dev.postern.load.server.Ports;

/** Configuration of a gateway, with keys that old commits have, too. */
record GatewayConfig(int port, int adminPort, String yaml) {
    /** All gateways have one event loop, since they have one core, and end at once. */
    private static final String YAML = """
            transport: {event-loops: 1}
            listeners:
              - {name: web, address: "127.0.0.1:%d", mode: reverse%s}
            admin: {address: "127.0.0.1:%d"}
            lifecycle: {drain-delay: 0s}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"]}
            """;

    /**
     * Returns a configuration with free ports.
     *
     * @param listener further keys of the listener, each after a comma
     * @param sections further sections, among them the routes to the upstream {@code app}
     */
    static GatewayConfig of(int originPort, String listener, String sections) {
        int port = Ports.free();
        int admin = Ports.free();
        return new GatewayConfig(port, admin, YAML.formatted(port, listener, admin, originPort) + sections);
    }
}
