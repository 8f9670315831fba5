package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoomNeedsTest {
    private static final Settings SETTINGS = new Settings(Map.of("active", "12", "path", "/shop"));

    /** What the simulation prints can be pasted into a configuration. */
    @Test
    void printsARateLimitThatAGatewayAccepts() {
        String printed = RoomNeeds.lines(SETTINGS);
        String limit = printed.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow();

        LoadedConfig config =
                new ConfigReader(Map.of(), List.of()).read("gateway.yaml", """
                        listeners: [{name: web, address: "127.0.0.1:0"}]
                        rate-limits:
                          - %s
                        upstreams: [{name: app, endpoints: ["127.0.0.1:9000"]}]
                        routes: [{path: /shop, upstream: app, token: off, rate-limit: queue}]
                        """.formatted(limit), Path.of(""));

        assertThat(config.problems()).isEmpty();
        assertThat(config.config().rateLimits().get(0).fairQueue())
                .extracting(room -> room.activeSessions())
                .hasToString("12");
        assertThat(printed).contains("The route of /shop ");
    }
}
