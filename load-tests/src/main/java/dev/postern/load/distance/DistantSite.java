package dev.postern.load.distance;

import dev.postern.load.measure.Command;
import dev.postern.load.peer.CProgram;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gateway in one network namespace, and a client and an origin in another one, with an emulated link between them. Connections are in
 * clear text, so that a fast link does not measure ciphers.
 */
final class DistantSite {
    private static final String NEAR = "10.9.0.1";
    private static final String FAR = "10.9.0.2";
    private static final Duration START = Duration.ofSeconds(120);

    private static final String GATEWAY = """
        listeners: [{name: web, address: "0.0.0.0:8000"}]
        admin: {address: "127.0.0.1:9180"}
        log: {level: warn, successes: 0%}
        upstreams:
          - {name: sink, endpoints: ["127.0.0.1:9001"]}
          - {name: far1, endpoints: ["10.9.0.2:9001"]}
          - {name: far2, endpoints: ["10.9.0.2:9002"], protocol: h2}
        routes:
          - {host: sink.test, path: /, upstream: sink, token: off}
          - {host: far1.test, path: /, upstream: far1, token: off}
          - {host: far2.test, path: /, upstream: far2, token: off}
        """;

    /** Reads a request's body to its end at /sink, and serves a file at /body. */
    private static final String ORIGIN = """
          client_max_body_size 0;
          client_body_buffer_size 256m;
          root %s;
          server {
            listen 9001;
            location /sink {
              proxy_pass http://127.0.0.1:9001/nothing;
              proxy_method GET;
              proxy_pass_request_body off;
              proxy_set_header Content-Length "";
            }
            location /nothing { return 204; }
          }
          server { listen 9002 http2; }
        """;

    private final RunFolder folder;
    private final int bytes;
    private final Path program;
    private final Namespace near;
    private final Namespace far;
    private @Nullable ServerProcess link;

    /** @param bytes of each transfer */
    DistantSite(RunFolder folder, int bytes) {
        this.folder = folder;
        this.bytes = bytes;
        this.program = CProgram.compile(folder, "farlink");
        this.near = Namespace.open(folder, "near", NEAR, FAR);
        this.far = Namespace.open(folder, "far", FAR, NEAR);
    }

    /**
     * Starts the origins and the gateway.
     *
     * @param maxWindow of HTTP/2
     */
    void start(String maxWindow) {
        origin(near);
        origin(far);
        Path config = folder.write("gateway.yaml", GATEWAY + "http2: {max-window: " + maxWindow + "}\n");
        List<String> command = near.command(Postern.command("run", "-c", config.toString()));
        ServerProcess.start(folder, "gateway", Cores.ANY, command, Postern.ENVIRONMENT)
                .await(START, () -> responds(near, "http://127.0.0.1:9180/readyz"));
    }

    private void origin(Namespace space) {
        Path home = folder.folder(space.name());
        body(home.resolve("body"));
        Path config = folder.write(space.name() + ".conf", Nginx.config(home, "off", ORIGIN.formatted(home)));
        List<String> command = space.command(List.of("nginx", "-p", home.toString(), "-c", config.toString()));
        ServerProcess.start(folder, space.name(), Cores.ANY, command)
                .await(START, () -> responds(space, "http://127.0.0.1:9001/nothing"));
    }

    private void body(Path file) {
        Command.output("truncate -s", bytes, file);
    }

    private static boolean responds(Namespace space, String url) {
        try {
            Command.output(space.command(List.of("curl", "-sfo", "/dev/null", url)));
            return true;
        } catch (IllegalStateException e) {
            return false; // not yet
        }
    }

    /** Makes the link anew, with that round trip in milliseconds and rate in Mbit/s. */
    void link(int roundTrip, int rate) {
        if (link != null) {
            link.close();
        }
        List<String> words = List.of(
                program.toString(), near.name(), far.name(), String.valueOf(roundTrip * 500), String.valueOf(rate));
        link = ServerProcess.start(folder, "link", Cores.ANY, words)
                .await(START, () -> responds(far, "http://" + NEAR + ":9001/nothing"));
    }

    /** Uploads from the distant client; returns Mbit/s. */
    double upload(boolean http2) {
        String body = folder.file(far.name()).resolve("body").toString();
        return transfer(
                far, http2, List.of("-T", body, "-w", "%{speed_upload}"), "sink.test", "http://" + NEAR + ":8000/sink");
    }

    /** Downloads to the distant client; returns Mbit/s. */
    double fetch(boolean http2) {
        List<String> how = List.of("-w", "%{speed_download}");
        return transfer(far, http2, how, "sink.test", "http://" + NEAR + ":8000/body");
    }

    /** Downloads from the distant origin to a client beside the gateway; returns Mbit/s. */
    double download(boolean http2) {
        String host = http2 ? "far2.test" : "far1.test";
        return transfer(near, false, List.of("-w", "%{speed_download}"), host, "http://127.0.0.1:8000/body");
    }

    private static double transfer(Namespace client, boolean http2, List<String> how, String host, String url) {
        List<String> words = new ArrayList<>(
                List.of("curl", "-sf", "--max-time", "300", "-o", "/dev/null", "-H", "Expect:", "-H", "Host: " + host));
        words.add(http2 ? "--http2-prior-knowledge" : "--http1.1");
        words.addAll(how);
        words.add(url);
        return Double.parseDouble(Command.output(client.command(words)).trim()) * 8 / 1e6;
    }
}
