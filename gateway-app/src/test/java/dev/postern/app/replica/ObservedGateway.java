package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Gateway in a possibly faulty environment, under some load, and the faults that it reports. */
final class ObservedGateway implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** JVM flags of a production gateway. */
    static final String[] HEALTHY = {"-Xmx256m", "-XX:+UseG1GC"};

    private final GatewayProcess gateway;
    private final RawClient client;

    ObservedGateway(Path folder, String yaml, GatewayProcess.Launch launch) throws Exception {
        gateway = new GatewayProcess(folder, "observed", yaml, launch).awaitReady();
        client = new RawClient(gateway.port());
    }

    GatewayProcess gateway() {
        return gateway;
    }

    /** Sends requests without a token, over one connection. */
    void visit(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(client.get("/open").status()).isEqualTo(200);
        }
    }

    /** Sends requests with a token each. */
    void pay(int times) {
        for (int i = 0; i < times; i++) {
            String token = Replicas.freshToken(gateway.port());
            assertThat(client.send(Replicas.redeeming(token)).read().status()).isEqualTo(200);
        }
    }

    /** Waits until the gateway reports an item under that load, in all outputs. */
    void awaitReport(Runnable load, String item, String wanted, String found, String remedy) {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollDelay(0, TimeUnit.SECONDS)
                .untilAsserted(() -> {
                    load.run();
                    JsonNode logLine = item(item);
                    assertThat(logLine.path("verdict").asString())
                            .as(logLine.toString())
                            .isEqualTo("drift");
                    assertThat(logLine.path("wanted").asString()).isEqualTo(wanted);
                    assertThat(logLine.path("found").asString()).matches(found);
                    assertThat(logLine.path("advice").asString()).contains(remedy);
                });
        // Reported by its own periodic check, without a request.
        Awaitility.await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
            load.run();
            assertThat(gateway.log())
                    .containsPattern("context: " + Pattern.quote(item) + " is (" + found + ") \\(wanted: "
                            + Pattern.quote(wanted) + "\\).*" + Pattern.quote(remedy));
            String details = JSON.readTree(admin("/readyz"))
                    .path("parts")
                    .path("context")
                    .path("details")
                    .path(item)
                    .asString("");
            assertThat(details).contains("(wanted: " + wanted + ")", remedy);
            assertThat(admin("/metrics")).contains("postern_context_drift{item=\"" + item + "\"} 1");
        });
    }

    /** Returns the names of all items that differ from the wanted value. */
    List<String> drifts() {
        List<String> drifts = new ArrayList<>();
        for (JsonNode one : JSON.readTree(admin("/context"))) {
            if (one.path("verdict").asString().equals("drift")) {
                drifts.add(one.toString());
            }
        }
        return drifts;
    }

    JsonNode item(String name) {
        for (JsonNode one : JSON.readTree(admin("/context"))) {
            if (one.path("item").asString().equals(name)) {
                return one;
            }
        }
        throw new AssertionError(name + " (expected: in /context)");
    }

    private String admin(String page) {
        try (RawClient asking = new RawClient(gateway.admin())) {
            return asking.send("GET " + page + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read()
                    .body();
        }
    }

    @Override
    public void close() {
        client.close();
        gateway.close();
    }
}
