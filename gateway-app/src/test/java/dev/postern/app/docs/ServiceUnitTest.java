package dev.postern.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.LifecycleConfig;
import dev.postern.app.config.read.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the systemd unit of a release fits the defaults of the configuration. {@code scripts/check-release} runs its commands. */
class ServiceUnitTest {

    private static final Pattern LOG_FILE = Pattern.compile("file:(/[^`\"]+)");

    private final GatewayConfig defaults = new ConfigReader(Map.of(), List.of())
            .read("gateway.yaml", "", Path.of(""))
            .config();

    private static List<String> values(String key) throws IOException {
        return Files.readAllLines(Path.of("../packaging/postern.service")).stream()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .toList();
    }

    private static long number(String key) throws IOException {
        return Long.parseLong(values(key).get(0));
    }

    @Test
    void waitsUntilTheGatewayHasDrained() throws IOException {
        LifecycleConfig lifecycle = defaults.lifecycle();

        assertThat(number("TimeoutStopSec"))
                .isGreaterThan(
                        lifecycle.drainDelay().plus(lifecycle.drainTimeout()).toSeconds() + 9);
    }

    @Test
    void allowsADescriptorForEachConnectionAndItsUpstream() throws IOException {
        assertThat(number("LimitNOFILE")).isGreaterThan(2L * defaults.limits().connections());
    }

    @Test
    void mayWriteTheLogFilesThatTheDocsName() throws IOException {
        String folder = "/var/log/" + values("LogsDirectory").get(0) + "/";

        for (String page : List.of("observe.md", "configuration.md")) {
            assertThat(LOG_FILE.matcher(Files.readString(Path.of("../docs", page)))
                            .results())
                    .as(page)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file.group(1)).startsWith(folder));
        }
    }

    @Test
    void checksTheSameFileBeforeStartAndReload() throws IOException {
        String start = values("ExecStart").get(0);
        String check = start.replace(" run ", " check ");

        assertThat(check).isNotEqualTo(start);
        assertThat(values("ExecStartPre")).containsExactly(check);
        assertThat(values("ExecReload")).containsExactly(check, "/bin/sh -c 'kill -HUP $$MAINPID'");
    }
}
