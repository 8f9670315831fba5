package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Tests what a gateway process writes to standard output and to standard error. */
@Tag("long")
class LogStreamsIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:{port}"}
            admin: {address: "127.0.0.1:{admin}"}
            log: {format: json}
            lifecycle: {drain-delay: 0s}
            transport: {event-loops: 1}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"]}
            routes:
              - {upstream: app, token: off}
            """.formatted(ServerProcess.freePort());

    @TempDir
    private Path folder;

    @Test
    void outputHasExchangesOnlyAndErrorsHaveTheProgramsLog() throws IOException {
        Path errors = folder.resolve("errors");
        Launch launch = new Launch(
                        List.of("sh", "-c", "exec \"$@\" 2>" + errors, "sh"),
                        // The logging configuration of the program, which that of the tests overrides.
                        Launch.FRUGAL
                                .with("-Dlog4j2.configurationFile=classpath:log4j2.xml")
                                .flags(),
                        Launch.FRUGAL.environment())
                // The class path of the tests has libraries twice, of which Log4j would tell.
                .of(Path.of("target/app").toAbsolutePath());
        try (GatewayProcess gateway = new GatewayProcess(folder, "gateway", YAML, launch).awaitReady();
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(502);
            Awaitility.await().until(() -> gateway.log().endsWith("}\n"));

            assertThat(gateway.log().lines()).singleElement().asString().contains("\"code\":\"upstream-refused\"");
        }
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines)
                .allSatisfy(
                        line -> assertThat(JsonMapper.shared().readTree(line).has("log.level"))
                                .isTrue())
                .anySatisfy(line -> assertThat(line).contains("ready; admin on"));
    }
}
