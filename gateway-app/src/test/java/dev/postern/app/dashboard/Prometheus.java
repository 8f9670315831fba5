package dev.postern.app.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real Prometheus with the rules of this repository, which scrapes gateways every second. */
final class Prometheus implements AutoCloseable {

    /** Range of rates: long enough to always contain two scrapes. */
    static final String RATE = "10s";

    private static final String CONFIGURATION = """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["%s/*.yml"]
            scrape_configs:
              - job_name: postern
                static_configs:
                  - targets: [%s]
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ServerProcess server;

    /** @param targets admin addresses */
    Prometheus(Path folder, List<InetSocketAddress> targets) throws IOException {
        String named = String.join(
                ", ",
                targets.stream().map(t -> "\"127.0.0.1:" + t.getPort() + "\"").toList());
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(configuration, CONFIGURATION.formatted(DashboardFiles.RULES, named));
        server = new ServerProcess(
                "prometheus",
                ServerProcess.freePort(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("prometheus"),
                "--web.listen-address=127.0.0.1:{port}");
        server.start();
    }

    /** Returns whether the query currently returns a number. */
    boolean responses(Query query) {
        JsonNode result = get("query?query=" + URLEncoder.encode(query.text(), UTF_8), query.toString());
        return result.path("result")
                .valueStream()
                .anyMatch(sample -> !sample.path("value").path(1).asString().equals("NaN"));
    }

    /** Returns the series of the query, with a point per second. */
    JsonNode range(Query query, long from, long to) {
        String path = "query_range?query=" + URLEncoder.encode(query.text(), UTF_8) + "&start=" + from + "&end=" + to;
        return get(path + "&step=1", query.toString()).path("result");
    }

    /** Returns the rules as they were evaluated last. */
    List<JsonNode> rules() {
        return get("rules", "rules")
                .path("groups")
                .valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .toList();
    }

    private JsonNode get(String path, String subject) {
        URI uri = URI.create("http://" + server.address() + "/api/v1/" + path);
        try {
            String body = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
            JsonNode response = JsonMapper.builder().build().readTree(body);
            if (!response.path("status").asString("").equals("success")) {
                throw new AssertionError(subject + ": " + body);
            }
            return response.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
