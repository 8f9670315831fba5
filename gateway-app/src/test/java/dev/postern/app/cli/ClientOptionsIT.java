package dev.postern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests site and issuer over HTTPS, with names that no resolver has and a certificate that the JDK does not trust. */
@Tag("long")
class ClientOptionsIT {

    private static final String YAML = """
            listeners:
              - name: web
                address: "127.0.0.1:{port}"
                congestion-control: reno
                tls: {certificates: [{certificate-file: "{certificate}", private-key-file: "{key}"}]}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: warn}
            privacy-pass:
              origin-names: [site.test]
              issuers:
                - {name: "issuer.test:{port}", directory: "{directory}"}
            upstreams:
              - {name: issuer, congestion-control: reno, endpoints: ["{issuer}"]}
              - {name: site, congestion-control: reno, endpoints: ["{site}"]}
            routes:
              - {host: issuer.test, upstream: issuer, token: off}
              - {host: site.test, upstream: site}
              - {host: site.test, path: /open, upstream: site, token: off}
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final TestOrigin origin = new TestOrigin();
    private final int port = ServerProcess.freePort();
    private TestCertificate certificate;
    private DevelopmentIssuer issuer;
    private Gateway gateway;

    @BeforeEach
    void start() throws IOException {
        certificate = TestCertificate.ec(folder, "server", "dns:site.test", "dns:issuer.test");
        issuer = DevelopmentIssuer.start(
                new InetSocketAddress("127.0.0.1", 0), Duration.ofMinutes(5), InstantSource.system());
        String yaml = YAML.replace("{port}", Integer.toString(port))
                .replace("{certificate}", certificate.certificate().toString())
                .replace("{key}", certificate.key().toString())
                .replace("{directory}", issuer.directoryUri().toString())
                .replace("{issuer}", issuer.directoryUri().getAuthority())
                .replace("{site}", origin.address());
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml, folder);
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config);
    }

    @AfterEach
    void close() {
        gateway.close();
        issuer.close();
        origin.close();
    }

    private int run(String command, String path, String... options) {
        List<String> all = new ArrayList<>(List.of(command, "https://site.test:" + port + path));
        all.addAll(List.of(options));
        return PosternCommand.execute(
                new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    private String url(String host) {
        return host + ":" + port + ":127.0.0.1";
    }

    @Test
    void usesGivenCertificatesAndAddresses() {
        String ca = certificate.certificate().toString();
        assertThat(run("fetch", "/", "--ca-file", ca, "--resolve", url("site.test"), "--resolve", url("issuer.test")))
                .as(err.toString())
                .isZero();
        assertThat(run(
                        "mint",
                        "/",
                        "--ca-file",
                        ca,
                        "--resolve",
                        url("site.test"),
                        "--resolve",
                        url("issuer.test"),
                        "-o",
                        folder.resolve("tokens").toString()))
                .as(err.toString())
                .isZero();
    }

    @Test
    void insecureTrustsAnyCertificateOfAnyName() {
        assertThat(run("fetch", "/open", "--resolve", url("site.test")))
                .as("not without the option")
                .isEqualTo(1);
        assertThat(run("fetch", "/", "-k", "--resolve", url("site.test"), "--resolve", url("issuer.test")))
                .as(err.toString())
                .isZero();
    }

    @Test
    void sendsAdditionalFieldsToTheSite() {
        assertThat(run(
                        "fetch",
                        "/open",
                        "-k",
                        "--resolve",
                        url("site.test"),
                        "-H",
                        "X-Shop: bread",
                        "-H",
                        "X-Shop: milk"))
                .as(err.toString())
                .isZero();
        assertThat(origin.received())
                .anyMatch(request ->
                        request.head().contains("bread") && request.head().contains("milk"));
    }

    @Test
    void namesTheUrlOfAnUnreachableIssuer() {
        assertThat(run(
                        "fetch",
                        "/",
                        "-k",
                        "--resolve",
                        url("site.test"),
                        "--resolve",
                        "issuer.test:" + port + ":127.0.0.2"))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("issuer issuer.test:" + port + ": https://issuer.test:" + port + "/.well-known/")
                .contains("clients derive this URL from the issuer's name");
    }

    @Test
    void refusesInvalidAddressesAndFields() {
        assertThat(run("fetch", "/", "--resolve", "site.test:443")).isEqualTo(2);
        assertThat(run("fetch", "/", "--resolve", "site.test:443:elsewhere.test"))
                .isEqualTo(2);
        assertThat(run("fetch", "/", "-H", "nonsense")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--resolve: site.test:443 (expected: HOST:PORT:ADDR)",
                        "--resolve: site.test:443:elsewhere.test (expected: an IP address behind the port)",
                        "-H: nonsense (expected: NAME: VALUE)");
    }
}
