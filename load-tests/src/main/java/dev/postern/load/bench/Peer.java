package dev.postern.load.bench;

import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.Readiness;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A running proxy in front of the origin; whatever it is, only its process and its port matter. */
record Peer(String name, ServerProcess process, int port) implements AutoCloseable {
    private static final String HAPROXY = """
            global
              nbthread 1
              maxconn 20000
            defaults
              mode http
              option http-keep-alive
              http-reuse always
              timeout connect 5s
              timeout client 600s
              timeout server 600s
            frontend in
              bind 127.0.0.1:%d
              option forwardfor
              http-request set-header X-Forwarded-Proto http
              http-request set-header X-Forwarded-Host %%[req.hdr(host)]
              http-request set-header Via "1.1 haproxy"
              default_backend out
            backend out
              server origin 127.0.0.1:%d pool-max-conn 256
            """;

    private static final String POSTERN = """
            transport: {event-loops: 1}
            listeners:
              - {name: web, address: "127.0.0.1:%1$d", mode: reverse}
            admin: {address: "127.0.0.1:%2$d"}
            log: {level: warn, successes: 0%%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%3$d"]}
            routes:
              - {host: "*", path: /, upstream: app, token: off}
            """;

    /**
     * Starts a peer: {@code nginx}, {@code nginx-again}, {@code haproxy}, {@code postern}, or any other as
     * {@code name=command with {port} and {upstream}}.
     */
    static Peer start(String kind, RunFolder folder, int upstreamPort) {
        if (kind.contains("=")) {
            return anyCommand(kind, folder, upstreamPort);
        }
        return switch (kind) {
            case "nginx", "nginx-again" -> {
                Nginx nginx = Nginx.proxy(folder, kind, Cores.MEASURED, upstreamPort);
                yield new Peer(kind, nginx.process(), nginx.port());
            }
            case "haproxy" -> haproxy(folder, upstreamPort);
            case "postern" -> postern(folder, upstreamPort);
            default ->
                throw new IllegalArgumentException(
                        "peer: " + kind
                                + " (expected: nginx, nginx-again, haproxy, postern or name=command with {port} and {upstream})");
        };
    }

    private static Peer haproxy(RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        String config = folder.write("haproxy.cfg", HAPROXY.formatted(port, upstreamPort))
                .toString();
        return ready("haproxy", folder, port, List.of("haproxy", "-db", "-f", config));
    }

    private static Peer postern(RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = POSTERN.formatted(port, admin, upstreamPort);
        return new Peer("postern", Postern.gateway(folder, "postern", Cores.MEASURED, yaml, admin), port);
    }

    private static Peer anyCommand(String kind, RunFolder folder, int upstreamPort) {
        int port = Ports.free();
        int equals = kind.indexOf('=');
        List<String> command = Arrays.stream(kind.substring(equals + 1).trim().split("\\s+"))
                .map(word -> word.replace("{port}", String.valueOf(port))
                        .replace("{upstream}", String.valueOf(upstreamPort)))
                .toList();
        return ready(kind.substring(0, equals), folder, port, command);
    }

    private static Peer ready(String name, RunFolder folder, int port, List<String> command) {
        ServerProcess process = ServerProcess.start(folder, name, Cores.MEASURED, command);
        return new Peer(name, process.await(Duration.ofSeconds(60), Readiness.accepts(port)), port);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    @Override
    public void close() {
        process.close();
    }
}
