package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands against an admin address with TLS and with a token for reading. */
class AdminAddressIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin:
              address: "127.0.0.1:0"
              tls: {certificates: [{certificate-file: tls.crt, private-key-file: tls.key}]}
              tokens: [{name: reader, file: token, rights: read}]
            lifecycle: {drain-delay: 0s}
            log: {level: error}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:1"], congestion-control: reno}
            routes:
              - {upstream: app, token: off}
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return PosternCommand.execute(new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void commandsUseTlsAndTokens() throws IOException {
        TestCertificate.ec(folder, "tls", "dns:localhost", "ip:127.0.0.1");
        String token =
                Files.writeString(folder.resolve("token"), "0123456789abcdef").toString();
        String ca = folder.resolve("tls.crt").toString();
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", YAML, folder);
        assertThat(config.problems()).isEmpty();
        try (Gateway gateway = Gateway.start(config, UnaryOperator.identity(), line -> {})) {
            String admin = "127.0.0.1:" + gateway.admin().getPort();

            assertThat(run("probe", "--admin", admin, "--ca-file", ca)).isZero();
            assertThat(run("probe", "--admin", admin)).as("without TLS").isEqualTo(1);
            assertThat(err.toString()).contains("no gateway responds on", "--ca-file if it has admin.tls");
            assertThat(run("context", "--admin", admin, "--ca-file", ca, "--token-file", token))
                    .isZero();
            assertThat(out.toString()).contains("postern.version");
            assertThat(run("context", "--admin", admin, "--ca-file", ca))
                    .as("without a token")
                    .isEqualTo(1);
            assertThat(err.toString()).contains("/context: status 401 (expected: 200, with --token-file)");
            assertThat(run("context", "--admin", admin, "--token-file", "nowhere"))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("--token-file: nowhere (expected: a file that can be read)");
        }
    }
}
