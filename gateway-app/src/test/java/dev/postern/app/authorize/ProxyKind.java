package dev.postern.app.authorize;

import dev.postern.core.testing.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Proxies that ask, and what they can't do. */
public enum ProxyKind {
    NGINX(
            "nginx",
            "-p",
            ".",
            "-e",
            "error.log",
            "-c",
            "nginx.conf",
            "-g",
            "daemon off; master_process off; pid nginx.pid;"),
    CADDY("caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"),
    TRAEFIK("traefik", "--configFile=traefik.yaml"),
    ENVOY(
            "envoy",
            "-c",
            "envoy.yaml",
            "--disable-hot-restart",
            "--concurrency",
            "1",
            "--log-level",
            "error",
            "--file-flush-interval-msec",
            "100"),
    HAPROXY("haproxy", "-db", "-f", "haproxy.cfg");

    private final String program;
    private final List<String> arguments;

    ProxyKind(String program, String... arguments) {
        this.program = program;
        this.arguments = List.of(arguments);
    }

    /** Returns the name of its files on the page. */
    String group() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the program: nginx and HAProxy of the system, the others as {@code scripts/proxies} installed them. */
    Path program() {
        if (this == NGINX || this == HAPROXY) {
            return ServerProcess.find(program);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path file = base.resolve("postern/proxies/bin").resolve(program);
        if (!Files.isExecutable(file)) {
            throw new IllegalStateException(
                    file + " is not on PATH (expected: installed by the command scripts/proxies)");
        }
        return file;
    }

    List<String> arguments() {
        return arguments;
    }

    /** Returns the status in which the client gets a refusal: Envoy drops what a 5xx says, so the gateway sends 429. */
    int refused(int status) {
        return this == ENVOY && status >= 500 ? 429 : status;
    }

    /** Returns what the client gets while the gateway is down. */
    int stopped() {
        return switch (this) {
            case NGINX, TRAEFIK -> 500;
            case CADDY -> 502;
            case ENVOY, HAPROXY -> 503;
        };
    }

    /** Returns what the client gets when the gateway does not respond in time. */
    int frozen() {
        return this == CADDY ? 504 : stopped();
    }

    /** Returns whether a response of the site can have a field of the gateway's answer. */
    boolean returnsFields() {
        return this != TRAEFIK;
    }

    /** Returns whether clients of HTTP/2 need TLS. */
    boolean framesNeedTls() {
        return this == NGINX;
    }
}
