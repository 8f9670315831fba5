package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.flame.GraphPage;
import dev.postern.app.reload.NamedOrigin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code /flamegraph} of a gateway process that serves requests meanwhile. */
@Tag("long")
class FlameGraphIT {

    /** Names that every profile of exchanges contains. */
    private static final List<String> PIPELINE = List.of(
            "http1.Http1ServerConnection.",
            "pipeline.MatchStage.",
            "proxy.ProxyStage.",
            "upstream.",
            "http1.client.Http1UpstreamConnection.");

    private static final Pattern CHURN = Pattern.compile(
            "^\\[postern-loop];.*"
                    + "(io\\.netty\\.channel\\.unix\\.(Socket|FileDescriptor)\\.(connect|finishConnect|close|shutdown)|;__libc_connect|;__close)");

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
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private HttpResponse<String> get(GatewayProcess gateway, String query) throws Exception {
        return browser.send(request(gateway, query), HttpResponse.BodyHandlers.ofString());
    }

    private GraphPage graph(GatewayProcess gateway, String query) throws Exception {
        HttpResponse<String> page = get(gateway, query);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return GraphPage.of(page.body());
    }

    /** Returns the first profile with all that it should show: a busy machine takes few samples, so that one may have none of a stage. */
    private GraphPage complete(GatewayProcess gateway, String query, Consumer<GraphPage> expectation) {
        AtomicReference<GraphPage> complete = new AtomicReference<>();
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            GraphPage graph = graph(gateway, query);
            expectation.accept(graph);
            complete.set(graph);
        });
        return Objects.requireNonNull(complete.get());
    }

    private static void assertReadable(GraphPage graph) {
        assertThat(PIPELINE)
                .allSatisfy(handler ->
                        assertThat(graph.names()).anyMatch(name -> name.startsWith("dev.postern.core." + handler)));
        assertStages(graph);
    }

    private static void assertStages(GraphPage graph) {
        assertThat(graph.names()).contains("[codec]", "[forward]");
        assertThat(graph.title()).containsPattern("Event loops: .*forward [0-9.]+ %");
    }

    private static String engine(GraphPage graph) {
        return graph.title().replaceAll(".*, by (.*?)\\. .*", "$1");
    }

    /** Returns the weight of all system calls that open or close connections, on event loops. */
    private static long churn(GraphPage graph) {
        return graph.stacks().entrySet().stream()
                .filter(stack -> CHURN.matcher(stack.getKey()).find())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    @Test
    void showsHandlersOfThePipeline() throws Exception {
        try (GatewayProcess gateway = gateway(true);
                SequentialClients clients = new SequentialClients(gateway.port(), 4)) {
            for (String event : List.of("cpu", "wall", "alloc")) {
                GraphPage graph = complete(gateway, "?seconds=5&event=" + event, FlameGraphIT::assertReadable);
                assertThat(graph.title()).contains("async-profiler");
                assertThat(graph.names()).contains("[postern-loop]").noneMatch(name -> name.contains("127.0.0.1"));
            }
            graph(gateway, "?seconds=1&event=lock");
            assertThat(clients.responded()).isPositive();
        }
    }

    @Test
    void runsOneOfTwoConcurrentProfiles() throws Exception {
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
    void showsConnectAndCloseWithoutPersistentConnections() throws Exception {
        GraphPage kept = profiled(true);
        GraphPage single = profiled(false);

        assertThat(engine(single)).isEqualTo(engine(kept));
        if (engine(single).contains("with the kernel's frames")) {
            assertThat(single.names()).contains("__x64_sys_connect", "__x64_sys_close");
        }
        assertThat(churn(single)).isPositive().isGreaterThanOrEqualTo(10 * churn(kept));
    }

    private GraphPage profiled(boolean keepAlive) throws Exception {
        try (GatewayProcess gateway = gateway(keepAlive);
                SequentialClients clients = new SequentialClients(gateway.port(), 4)) {
            GraphPage graph = complete(gateway, "?seconds=6", FlameGraphIT::assertReadable);
            assertThat(clients.responded()).isPositive();
            return graph;
        }
    }

    @Test
    void usesTheFlightRecorderWithoutTheNativeLibrary() throws Exception {
        try (GatewayProcess gateway = gateway(true, "-Done.profiler.libraryPath=" + folder.resolve("none.so"));
                SequentialClients clients = new SequentialClients(gateway.port(), 4)) {
            for (String event : List.of("cpu", "alloc")) {
                GraphPage graph = complete(gateway, "?seconds=5&event=" + event, FlameGraphIT::assertStages);
                assertThat(graph.title()).contains("Flight Recorder");
                assertThat(graph.title()).contains("async-profiler can't be loaded", "java.io.tmpdir");
                assertThat(graph.names())
                        .anyMatch(name -> name.startsWith("dev.postern.core.http1.Http1ServerConnection."));
            }
            assertThat(clients.responded()).isPositive();
        }
    }
}
