package dev.postern.load.server;

/**
 * Site with a waiting room in front of nginx: all visitors but the first need a pass, and a pass ends two seconds after the last request.
 *
 * @param port the gateway's
 */
public record WaitingRoomSite(ServerProcess gateway, int port, int adminPort) {
    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%3$d"]}
            rate-limits:
              - {name: queue, rate: 1/h, burst: 0, fair-queue: {active-sessions: %4$d, idle: 2s}}
            routes:
              - {host: "*", path: /, upstream: app, token: off, rate-limit: queue}
            """;

    /** @param active sessions at once */
    public static WaitingRoomSite start(RunFolder folder, int active) {
        int port = Ports.free();
        int admin = Ports.free();
        Nginx origin = Nginx.origin(folder, "origin", Cores.ANY, 128, false);
        String yaml = YAML.formatted(port, admin, origin.port(), active);
        return new WaitingRoomSite(Postern.gateway(folder, "gateway", Cores.ANY, yaml, admin), port, admin);
    }
}
