package dev.postern.load.peer;

import dev.postern.load.server.Certificate;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Programs;
import dev.postern.load.server.Readiness;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Peer: a running proxy in front of the origin, with its process and its address. */
public record Peer(String name, ServerProcess process, URI uri) implements AutoCloseable {
    /** Kind of the gateway itself. */
    public static final String POSTERN = "postern";

    private static final String HAPROXY = """
        global
          nbthread 1
          maxconn 8000
        defaults
          mode http
          option http-keep-alive
          http-reuse always
          timeout connect 5s
          timeout client 600s
          timeout server 600s
        frontend in
          bind 127.0.0.1:%1$d backlog 4096 %3$s
          option forwardfor
          http-request set-header X-Forwarded-Proto %4$s
          http-request set-header X-Forwarded-Host %%[req.hdr(host)]
          http-request set-header Via "1.1 haproxy"
          default_backend out
        backend out
          server origin 127.0.0.1:%2$d pool-max-conn 4096
        """;

    private static final String CADDY = """
        {
          admin off
          auto_https off
        }
        :%d {
          bind 127.0.0.1
          reverse_proxy 127.0.0.1:%d {
            header_up Via "1.1 caddy"
            transport http {
              keepalive 600s
              keepalive_idle_conns_per_host 4096
            }
          }
        }
        """;

    private static final String GATEWAY = """
        transport: {event-loops: 1}
        listeners:
          - {name: web, address: "127.0.0.1:%1$d", mode: reverse%4$s}
        admin: {address: "127.0.0.1:%2$d"}
        limits: {keep-alive-timeout: 600s}
        log: {level: warn, successes: 0%%}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%3$d"], pool: {%5$smax-connections: 4096, max-pending: 4096}}
        routes:
          - {host: "*", path: /, upstream: app, token: off}
        """;

    /**
     * Starts a peer: {@code nginx}, {@code nginx-again}, {@code nginx-no-keep-alive}, {@code nginx-large-buffers},
     * {@code nginx-h2}, {@code haproxy}, {@code haproxy-h2}, {@code caddy}, {@code relay}, {@code postern}, {@code postern-io-uring} or
     * one of {@link JavaPeer}.
     */
    public static Peer start(String kind, RunFolder folder, int upstreamPort) {
        return switch (kind) {
            case "nginx", "nginx-again", "nginx-no-keep-alive", "nginx-large-buffers", "nginx-h2" ->
                nginx(kind, Nginx.proxy(folder, kind, upstreamPort));
            case "haproxy" -> haproxy(kind, Programs.ofHost(), "", folder, upstreamPort);
            case "haproxy-h2" -> haproxy(kind, Programs.ofHost(), "proto h2", folder, upstreamPort);
            case "caddy" -> caddy(folder, upstreamPort);
            case "relay" -> relay(folder, upstreamPort);
            case "vertx" -> java(kind, JavaPeer.VERTX, folder, upstreamPort);
            case "spring-cloud-gateway" -> java(kind, JavaPeer.SPRING_CLOUD_GATEWAY, folder, upstreamPort);
            case "spring-cloud-gateway-h2" ->
                java(kind, JavaPeer.SPRING_CLOUD_GATEWAY, folder, upstreamPort, JavaPeer.HTTP2);
            case POSTERN -> postern(POSTERN, folder, upstreamPort, false, Map.of());
            case "postern-io-uring" ->
                postern(kind, folder, upstreamPort, false, Map.of("POSTERN_TRANSPORT_KIND", "io-uring"));
            default ->
                throw new IllegalArgumentException("peer: " + kind
                        + " (expected: nginx, nginx-again, nginx-no-keep-alive, nginx-large-buffers, nginx-h2,"
                        + " haproxy, haproxy-h2, caddy, relay, vertx, spring-cloud-gateway, spring-cloud-gateway-h2,"
                        + " postern, postern-io-uring)");
        };
    }

    /**
     * Starts the gateway.
     *
     * @param name of its files in the folder
     * @param tls whether its listener uses TLS, with the certificate of the folder
     * @param environment of its launcher, such as another {@code JAVA_HOME}
     */
    public static Peer postern(
            String name, RunFolder folder, int upstreamPort, boolean tls, Map<String, String> environment) {
        String listener = tls ? ", " + Certificate.in(folder).yaml() : "";
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = GATEWAY.formatted(port, admin, upstreamPort, listener, "");
        ServerProcess process = Postern.gateway(folder, name, Cores.MEASURED, yaml, admin, environment);
        return new Peer(name, process, uri(tls ? "https" : "http", port));
    }

    /**
     * Starts the gateway with other settings of its connection pool.
     *
     * @param adminPort a free port
     * @param pool keys of the pool, each with a comma, such as <code>keep-alive: false, </code>
     * @param environment of its launcher
     */
    public static Peer posternWithPool(
            String name,
            RunFolder folder,
            int upstreamPort,
            int adminPort,
            String pool,
            Map<String, String> environment) {
        int port = Ports.free();
        String yaml = GATEWAY.formatted(port, adminPort, upstreamPort, "", pool);
        ServerProcess process = Postern.gateway(folder, name, Cores.MEASURED, yaml, adminPort, environment);
        return new Peer(name, process, uri("http", port));
    }

    private static Peer nginx(String kind, Nginx nginx) {
        return new Peer(kind, nginx.process(), uri("http", nginx.port()));
    }

    /** @param protocol options of the address where HAProxy listens */
    static Peer haproxy(String kind, Programs programs, String protocol, RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        String scheme = protocol.startsWith("ssl") ? "https" : "http";
        Path config = folder.write(kind + ".cfg", HAPROXY.formatted(port, upstreamPort, protocol, scheme));
        Peer peer = ready(kind, folder, port, programs.command("haproxy", "-db", "-f", config.toString()));
        return new Peer(kind, peer.process, uri(scheme, port));
    }

    private static Peer caddy(RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        Path config = folder.write("Caddyfile", CADDY.formatted(port, upstreamPort));
        List<String> command = List.of("caddy", "run", "--adapter", "caddyfile", "--config", config.toString());
        // Its state goes to the run's folder, too.
        Map<String, String> environment = Map.of("HOME", folder.toString());
        ServerProcess process = ServerProcess.start(folder, "caddy", Cores.MEASURED, command, environment)
                .await(Duration.ofSeconds(60), Readiness.accepts(port));
        return new Peer("caddy", process, uri("http", port));
    }

    private static Peer relay(RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        return new Peer("relay", CProgram.relay(folder, "relay", port, upstreamPort), uri("http", port));
    }

    private static Peer java(String kind, JavaPeer peer, RunFolder folder, int upstreamPort, String... options) {
        int port = Ports.free();
        return ready(kind, folder, port, peer.command(port, upstreamPort, options));
    }

    private static Peer ready(String name, RunFolder folder, int port, List<String> command) {
        return new Peer(name, ServerProcess.listening(folder, name, Cores.MEASURED, command, port), uri("http", port));
    }

    static URI uri(String scheme, int port) {
        return URI.create(scheme + "://127.0.0.1:" + port + "/");
    }

    public int port() {
        return uri.getPort();
    }

    @Override
    public void close() {
        process.close();
    }
}
