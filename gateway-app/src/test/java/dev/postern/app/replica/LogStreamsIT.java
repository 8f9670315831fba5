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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Tests what a gateway process writes to standard output and to standard error. */
@Tag("long")
class LogStreamsIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:{port}"}
            admin: {address: "127.0.0.1:{admin}"}
            log: {format: FORMAT}
            lifecycle: {drain-delay: 0s}
            transport: {event-loops: 1}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%d"]}
            routes:
              - {upstream: app, token: off}
            """.formatted(ServerProcess.freePort());

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"json", "text"})
    void outputHasExchangesOnlyAndErrorsHaveTheProgramsLog(String format) throws IOException {
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
        try (GatewayProcess gateway =
                        new GatewayProcess(folder, "gateway", YAML.replace("FORMAT", format), launch).awaitReady();
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(502);
            Awaitility.await().until(() -> gateway.log().endsWith("}\n"));

            assertThat(gateway.log().lines()).singleElement().asString().contains("\"code\":\"upstream-refused\"");
        }
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("ready; admin on"));
        assertThat(lines).allSatisfy(line -> assertThat(isJson(line)).as(line).isEqualTo(format.equals("json")));
    }

    private static boolean isJson(String line) {
        return line.startsWith("{") && JsonMapper.shared().readTree(line).has("log.level");
    }
}
