package dev.postern.load.server;

import dev.postern.load.measure.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Nginx of the system's package with a generated configuration: as origin, or as a peer of the gateway. One process, no
 * master.
 */
public record Nginx(ServerProcess process, int port, Path accessLog) {
    /** Maximum length of a word in the configuration, with a margin. */
    private static final int LONGEST_WORD = 4000;

    private static final String KEEP_ALIVE = "keepalive 4096; keepalive_requests 1000000000; keepalive_timeout 600s;";
    private static final String LARGE_BUFFERS = " proxy_buffers 8 64k; proxy_busy_buffers_size 128k;";
    private static final String REUSED = "proxy_set_header Connection \"\";";

    private static final String FRAME = """
        daemon off;
        master_process off;
        worker_processes 1;
        pid %1$s/nginx.pid;
        error_log %1$s/error.log warn;
        events { worker_connections 8192; }
        http {
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
          default_type text/plain;
          log_format visits '$status $uri';
          keepalive_requests 1000000000;
          keepalive_timeout 600s;
          access_log %2$s;
        %3$s}
        """;

    /**
     * Starts an origin that responds to every request with the given number of bytes: small bodies from its
     * configuration, large ones from a file.
     */
    public static Nginx origin(RunFolder folder, String name, Cores cores, int bodyBytes, boolean log) {
        String body = "x".repeat(bodyBytes);
        if (bodyBytes <= LONGEST_WORD) {
            return responding(folder, name, cores, log, "return 200 \"%s\";".formatted(body));
        }
        Path file = folder.write(name + ".body", body);
        String location = "root %s; try_files /%s =404; sendfile on; open_file_cache max=1;";
        return responding(folder, name, cores, log, location.formatted(file.getParent(), file.getFileName()));
    }

    /** Starts an origin that responds to every request with the requested path. */
    public static Nginx echo(RunFolder folder, String name, Cores cores) {
        return responding(folder, name, cores, false, "return 200 \"$uri\";");
    }

    /** Starts a server that refuses every request by itself. */
    public static Nginx refusing(RunFolder folder, String name, Cores cores) {
        return responding(folder, name, cores, false, "return 401;");
    }

    private static Nginx responding(RunFolder folder, String name, Cores cores, boolean log, String location) {
        int port = Ports.free();
        String server = """
              server {
                listen 127.0.0.1:%d backlog=4096;
                location / { %s }
              }
            """.formatted(port, location);
        return start(folder, name, Programs.ofHost(), cores, port, log, server);
    }

    /**
     * Starts a reverse proxy with kept-alive upstream connections that adds the same fields as the gateway.
     *
     * @param kind {@code nginx-no-keep-alive} has a new connection to the origin for each request, as nginx has by
     *     default; {@code nginx-large-buffers} has more than the 4 KiB that a default buffer takes at a time;
     *     {@code nginx-h2} is for clients that speak HTTP/2 in clear text from the first byte
     */
    public static Nginx proxy(RunFolder folder, String kind, int upstreamPort) {
        Proxy proxy = switch (kind) {
            case "nginx-no-keep-alive" -> new Proxy(upstreamPort, "", "proxy_set_header Connection close;", "");
            case "nginx-large-buffers" -> new Proxy(upstreamPort, KEEP_ALIVE, REUSED + LARGE_BUFFERS, "");
            case "nginx-h2" -> new Proxy(upstreamPort, KEEP_ALIVE, REUSED, "http2");
            default -> new Proxy(upstreamPort, KEEP_ALIVE, REUSED, "");
        };
        return proxy(folder, kind, Programs.ofHost(), proxy);
    }

    /**
     * Starts the same proxy, with large buffers on request, for clients that use TLS with HTTP/1.1 or HTTP/2: nginx
     * before 1.23 needs the protocols, all else of TLS is the default.
     *
     * @param programs the distribution whose nginx runs
     */
    public static Nginx proxyOverTls(
            RunFolder folder, String name, Programs programs, int upstreamPort, boolean large, Certificate tls) {
        String listener =
                "ssl http2;\n    ssl_protocols TLSv1.2 TLSv1.3;\n    ssl_certificate %s;\n    ssl_certificate_key %s"
                        .formatted(tls.chain(), tls.key());
        String location = large ? REUSED + LARGE_BUFFERS : REUSED;
        return proxy(folder, name, programs, new Proxy(upstreamPort, KEEP_ALIVE, location, listener));
    }

    /** Settings of a reverse proxy. */
    private record Proxy(int upstreamPort, String upstream, String location, String listener) {}

    private static Nginx proxy(RunFolder folder, String name, Programs programs, Proxy proxy) {
        int port = Ports.free();
        // No temporary files: their disk writes would add CPU time that the other peers do not have.
        String server = """
              upstream origin {
                server 127.0.0.1:%1$d;
                %3$s
              }
              server {
                listen 127.0.0.1:%2$d backlog=4096 %5$s;
                location / {
                  proxy_pass http://origin;
                  proxy_http_version 1.1;
                  proxy_max_temp_file_size 0;
                  %4$s
                  proxy_set_header Host $http_host;
                  proxy_set_header X-Forwarded-For $remote_addr;
                  proxy_set_header X-Forwarded-Proto $scheme;
                  proxy_set_header X-Forwarded-Host $http_host;
                  proxy_set_header Via "1.1 nginx";
                }
              }
            """.formatted(proxy.upstreamPort, port, proxy.upstream, proxy.location, proxy.listener);
        return start(folder, name, programs, Cores.MEASURED, port, false, server);
    }

    /** Starts a reverse proxy that limits the requests per second of an address, and responds 503 to the others. */
    public static Nginx limiting(RunFolder folder, String name, Cores cores, int upstreamPort, int perSecond) {
        int port = Ports.free();
        String server = """
              upstream origin {
                server 127.0.0.1:%1$d;
                keepalive 64;
              }
              limit_req_zone $binary_remote_addr zone=address:1m rate=%3$dr/s;
              server {
                listen 127.0.0.1:%2$d backlog=4096;
                location / {
                  limit_req zone=address;
                  limit_req_status 503;
                  limit_req_log_level info;
                  proxy_pass http://origin;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                }
              }
            """.formatted(upstreamPort, port, perSecond);
        return start(folder, name, Programs.ofHost(), cores, port, false, server);
    }

    /** Starts the host's nginx with sections of a configuration that listen on this port. */
    public static Nginx serving(RunFolder folder, String name, Cores cores, int port, String sections) {
        return start(folder, name, Programs.ofHost(), cores, port, false, sections);
    }

    private static Nginx start(
            RunFolder folder, String name, Programs programs, Cores cores, int port, boolean log, String server) {
        Path home = folder.folder(name);
        Path accessLog = home.resolve("access.log");
        Path config = folder.write(name + ".conf", config(home, log ? accessLog + " visits" : "off", server));
        List<String> command = programs.command("nginx", "-p", home.toString(), "-c", config.toString());
        return new Nginx(ServerProcess.listening(folder, name, cores, command, port), port, accessLog);
    }

    /** Returns the configuration of one process with these sections; {@code log} is its access log. */
    public static String config(Path home, String log, String sections) {
        return FRAME.formatted(home, log, sections);
    }

    /** Returns the access log so far, a line per request: status and path. */
    public List<String> visits() {
        return Unchecked.get(() -> Files.exists(accessLog) ? Files.readAllLines(accessLog) : List.of());
    }
}
