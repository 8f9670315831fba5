package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Reads a configuration without dangers, to which a test adds one. */
abstract class WarningsFixture {

    static final String SITE = """
        secrets: {ring-file: ring}
        listeners: [{name: web, address: "127.0.0.1:8080"}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:9000"]}, {name: other, endpoints: ["127.0.0.1:9001"]}]
        privacy-pass: {issuers: [{name: issuer.example, directory: "https://issuer.example/d"}]}
        rate-limits: [{name: site, rate: 10/s}]
        """;

    static final String ROUTES = "routes: [{host: \"*\", upstream: app}]\n";

    @TempDir
    Path folder;

    @BeforeEach
    void ring() throws IOException {
        Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        mode("ring", "rw-------");
    }

    void mode(String file, String mode) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(file), PosixFilePermissions.fromString(mode));
    }

    LoadedConfig read(String text, String... flags) {
        return new ConfigReader(Map.of(), List.of(flags)).read("gateway.yaml", text, folder);
    }

    List<String> warnings(String text, String... flags) {
        LoadedConfig config = read(text, flags);
        assertThat(config.problems()).isEmpty();
        return dangers(config);
    }

    /** Returns the warnings without those of the names and the stores that the test's configuration does not use. */
    static List<String> dangers(LoadedConfig config) {
        return config.warnings().stream()
                .map(Problem::toString)
                .filter(warning -> !warning.contains("no effect without routes[].")
                        && !warning.contains("no effect without listeners[].forward")
                        && !warning.contains("no effect without privacy-pass.ledger.store: redis")
                        && !warning.contains("no effect without tracing.endpoint"))
                .toList();
    }
}
