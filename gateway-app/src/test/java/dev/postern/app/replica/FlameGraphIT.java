package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.postern.app.reload.NamedOrigin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code /flamegraph} of a gateway in a process of its own, which serves all the while. */
@Tag("long")
class FlameGraphIT {

    /** What every exchange goes through, as a reader looks for it. */
    private static final List<String> PIPELINE = List.of(
            "http1.Http1ServerConnection.",
            "pipeline.MatchStage.",
            "proxy.ProxyStage.",
            "upstream.",
            "http1.client.Http1UpstreamConnection.");

    @TempDir
    private Path folder;

    private final NamedOrigin origin = new NamedOrigin("site");
    private final HttpClient browser = HttpClient.newHttpClient();

    @BeforeEach
    void whereTheKernelIsLinux() {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private GatewayProcess gateway(boolean keepAlive, String... jvm) throws IOException {
        String whole = """
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno}
                admin: {address: "127.0.0.1:{admin}"}
                log: {level: warn, successes: 0%%}
                overload: {loop-lag: {shed-above: 0}}
                upstreams:
                  - {name: app, congestion-control: reno, endpoints: ["%s"], pool: {keep-alive: %s}}
                routes:
                  - {upstream: app, token: off}
                """.formatted(origin.address(), keepAlive);
        return new GatewayProcess(folder, "keep-alive-" + keepAlive, whole, GatewayProcess.Launch.FRUGAL.with(jvm))
                .awaitReady();
    }

    private HttpRequest request(GatewayProcess gateway, String query) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.admin() + "/flamegraph" + query))
                .build();
    }

    private HttpResponse<String> get(GatewayProcess gateway, String query) throws Exception {
        return browser.send(request(gateway, query), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode graph(GatewayProcess gateway, String query) throws Exception {
        HttpResponse<String> page = get(gateway, query);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        String json = page.body().split("<script type=\"application/json\" id=\"document\">", 2)[1];
        return JsonMapper.shared().readTree(json.substring(0, json.indexOf("</script>")));
    }

    private static Set<String> names(JsonNode graph) {
        Set<String> names = new TreeSet<>();
        graph.path("names").forEach(name -> names.add(name.asString()));
        return names;
    }

    private static void canBeRead(JsonNode graph) {
        assertThat(PIPELINE)
                .allSatisfy(handler ->
                        assertThat(names(graph)).anyMatch(name -> name.startsWith("dev.postern.core." + handler)));
        assertThat(stages(graph)).contains("codec", "forward");
    }

    private static List<String> stages(JsonNode graph) {
        return StreamSupport.stream(graph.at("/loops/rows").spliterator(), false)
                .map(row -> row.path("stage").asString())
                .toList();
    }

    /** Weight of all calls of the system for that purpose, on event loops. */
    private static long weight(JsonNode graph, String ending) {
        return StreamSupport.stream(graph.at("/loops/rows").spliterator(), false)
                .mapToLong(row -> row.path("by").path(ending).asLong(0))
                .sum();
    }

    @Test
    void handlersOfThePipelineCanBeRead() throws Exception {
        try (GatewayProcess gateway = gateway(true);
                Load load = new Load(gateway.port(), 4)) {
            for (String event : List.of("cpu", "wall", "alloc")) {
                JsonNode graph = graph(gateway, "?seconds=5&event=" + event);
                canBeRead(graph);
                assertThat(graph.path("engine").asString()).contains("async-profiler");
                assertThat(names(graph)).contains("postern-loop").noneMatch(name -> name.contains("127.0.0.1"));
            }
            graph(gateway, "?seconds=1&event=lock");
            assertThat(load.responded()).isPositive();
        }
    }

    @Test
    void ofTwoWhoAskAtOnceOneIsServed() throws Exception {
        try (GatewayProcess gateway = gateway(true)) {
            List<CompletableFuture<HttpResponse<String>>> joined = Stream.of("cpu", "wall")
                    .map(event -> browser.sendAsync(
                            request(gateway, "?seconds=5&event=" + event), HttpResponse.BodyHandlers.ofString()))
                    .toList();

            assertThat(joined)
                    .extracting(response -> response.join().statusCode())
                    .containsExactlyInAnyOrder(200, 429);
            assertThat(joined)
                    .extracting(response ->
                            response.join().headers().firstValue("Retry-After").isPresent())
                    .containsExactlyInAnyOrder(false, true);
        }
    }

    @Test
    void connectAndCloseCanBeSeenWhereConnectionsAreNotKept() throws Exception {
        JsonNode kept = profiled(true);
        JsonNode single = profiled(false);

        canBeRead(single);
        assertThat(single.path("hint").asString()).isEqualTo(kept.path("hint").asString());
        if (single.path("hint").asString().isEmpty()) {
            assertThat(names(single)).contains("__x64_sys_connect", "__x64_sys_close");
        }
        long before = weight(kept, "connect") + weight(kept, "close");
        long now = weight(single, "connect") + weight(single, "close");
        assertThat(now).isPositive().isGreaterThanOrEqualTo(10 * before);
    }

    private JsonNode profiled(boolean keepAlive) throws Exception {
        try (GatewayProcess gateway = gateway(keepAlive);
                Load load = new Load(gateway.port(), 4)) {
            JsonNode graph = graph(gateway, "?seconds=6");
            assertThat(load.responded()).isPositive();
            return graph;
        }
    }

    @Test
    void theFlightRecorderTakesItsPlaceWhereTheLibraryDoesNotLoad() throws Exception {
        try (GatewayProcess gateway = gateway(true, "-Done.profiler.libraryPath=" + folder.resolve("none.so"));
                Load load = new Load(gateway.port(), 4)) {
            for (String event : List.of("cpu", "alloc")) {
                JsonNode graph = graph(gateway, "?seconds=5&event=" + event);
                assertThat(graph.path("engine").asString()).contains("Flight Recorder");
                assertThat(graph.path("hint").asString()).contains("async-profiler can't be loaded", "java.io.tmpdir");
                assertThat(names(graph))
                        .anyMatch(name -> name.startsWith("dev.postern.core.http1.Http1ServerConnection."));
                assertThat(stages(graph)).contains("codec", "forward");
            }
            assertThat(load.responded()).isPositive();
        }
    }
}
