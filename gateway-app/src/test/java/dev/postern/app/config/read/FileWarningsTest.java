package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.OcspVectors;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests warnings about the files of a configuration: permissions, certificates, passwords. */
class FileWarningsTest extends WarningsFixture {

    @ParameterizedTest
    @CsvSource({"rw-r-----, ''", "rw-r--r--, o-r", "rw-rw----, g-w", "rw-rw-r--, g-w"})
    void warnsOfSecretsReadableByOthers(String mode, String remedy) throws IOException {
        mode("ring", mode);

        List<String> warnings = warnings(SITE + ROUTES);
        if (remedy.isEmpty()) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .startsWith("gateway.yaml:1:22: secrets.ring-file: ")
                    .contains(mode, "chmod " + remedy);
        }
    }

    @Test
    void refusesSecretsWritableByOthers() throws IOException {
        TestCertificate.ec(folder, "it", "dns:a.example");
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        Files.writeString(folder.resolve("uri"), "redis://127.0.0.1");
        Files.writeString(folder.resolve("fields"), "A: b\n");
        Files.writeString(folder.resolve("public"), TokenMint.shared().publicKey());
        Files.createDirectory(folder.resolve("keys"));
        for (String file : List.of("ring", "token", "it.key", "uri", "fields", "public", "keys")) {
            mode(file, "rwxrwxrwx");
        }

        LoadedConfig config = read(
                SITE + ROUTES,
                "admin.token-file=token",
                "redis.uri-file=uri",
                "tracing.headers-file=fields",
                "listeners.web.tls={certificates: [{certificate-file: it.crt, private-key-file: it.key}]}",
                "privacy-pass.issuers=[{name: a.example, public-key-files: [public], private-key-files: [keys]}]");

        assertThat(config.problems().stream().map(Problem::key))
                .containsExactlyInAnyOrder(
                        "secrets.ring-file",
                        "admin.token-file",
                        "redis.uri-file",
                        "tracing.headers-file",
                        "listeners.0.tls.certificates.0.private-key-file",
                        "privacy-pass.issuers.0.public-key-files.0",
                        "privacy-pass.issuers.0.private-key-files.0");
        assertThat(config.problems())
                .allMatch(p -> p.text().contains("rwxrwxrwx") && p.text().contains("chmod o-w"));
    }

    @Test
    void warnsOfPlainRedisInAFile() throws IOException {
        Files.writeString(folder.resolve("uri"), "redis://:s3cret@cache:6379\n");
        mode("uri", "rw-------");

        assertThat(warnings(SITE + ROUTES, "redis.uri-file=uri"))
                .singleElement()
                .asString()
                .contains("redis.uri-file: redis://cache:6379: ")
                .doesNotContain("s3cret");
    }

    @Test
    void warnsOfCertificatesThatExpire() {
        TestCertificate made = TestCertificate.ec(folder, "it", "dns:a.example");
        InstantSource end = InstantSource.fixed(made.x509().getNotAfter().toInstant());
        String[] flags = {
            "listeners.web.tls={certificates: [{certificate-file: it.crt, private-key-file: it.key}], client-ca-file:"
                    + " it.crt}",
            "upstreams.app.tls={ca-file: it.crt}"
        };

        assertThat(readAt(end, Duration.ofDays(15), flags).warnings()).isEmpty();
        LoadedConfig soon = readAt(end, Duration.ofDays(13), flags);
        assertThat(soon.problems()).isEmpty();
        assertThat(soon.warnings().stream().map(Problem::toString))
                .hasSize(3)
                .allMatch(w -> w.contains("CN=postern expires at ") && w.contains("in 13 days; renew it"));
        LoadedConfig expired = readAt(end, Duration.ofSeconds(-1), flags);
        assertThat(expired.problems().stream().map(Problem::key))
                .containsExactlyInAnyOrder(
                        "listeners.0.tls.certificates.0.certificate-file",
                        "listeners.0.tls.client-ca-file",
                        "upstreams.0.tls.ca-file");
        assertThat(expired.problems())
                .allMatch(p -> p.text().contains("expired at ") && p.text().contains("renew it"));
    }

    private LoadedConfig readAt(InstantSource end, Duration margin, String... flags) {
        InstantSource clock = InstantSource.fixed(end.instant().minus(margin));
        LoadedConfig config =
                new ConfigReader(Map.of(), List.of(flags), clock).read("gateway.yaml", SITE + ROUTES, folder);
        // A umask that makes new files readable by others is corrected here.
        return new LoadedConfig(
                config.config(),
                config.problems(),
                config.warnings().stream()
                        .filter(w -> !w.text().contains("chmod") && !w.text().contains("no effect without routes[]."))
                        .toList(),
                config.effective(),
                config.sources());
    }

    @Test
    void oneExpiredAuthorityAmongValidOnesIsNoProblem() throws IOException {
        TestCertificate one = TestCertificate.ec(folder, "one", "dns:a.example");
        TestCertificate other = TestCertificate.ec(folder, "other", "dns:b.example");
        Files.writeString(
                folder.resolve("both.crt"),
                Files.readString(one.certificate()) + Files.readString(other.certificate()));

        LoadedConfig config = readAt(
                InstantSource.fixed(one.x509().getNotAfter().toInstant()),
                Duration.ofMillis(-1),
                "upstreams.app.tls={ca-file: both.crt}");

        boolean otherLives = other.x509()
                .getNotAfter()
                .toInstant()
                .isAfter(one.x509().getNotAfter().toInstant());
        assertThat(config.problems().isEmpty()).isEqualTo(otherLives);
    }

    @ParameterizedTest
    @CsvSource({
        "good.der, boringssl, ''",
        "good.der, auto, ''",
        "good.der, jdk, 'no effect without transport.tls-engine: auto | boringssl'",
        "revoked.der, auto, not stapled: Certificate has been revoked",
        "forged.der, auto, 'expected: a response that is good for the certificate now'",
        "nowhere.der, auto, 'expected: a file that can be read'",
    })
    void warnsOfOcspResponsesThatAreNotStapled(String response, String engine, String warning) throws IOException {
        OcspVectors.write("chain.crt", folder, "it.crt");
        OcspVectors.write("site.key", folder, "it.key");
        mode("it.key", "rw-------");
        if (!response.equals("nowhere.der")) {
            OcspVectors.write(response, folder, response);
        }
        List<String> warnings = warnings(
                SITE + ROUTES,
                "transport.tls-engine=" + engine,
                "listeners.web.tls={certificates: [{certificate-file: it.crt, private-key-file: it.key, ocsp-file: "
                        + response + "}]}");
        if (warning.isEmpty()) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings).singleElement().asString().contains("ocsp-file", response, warning);
        }
    }

    @ParameterizedTest
    @CsvSource({"allow, auto, 1", "allow, boringssl, 1", "allow, jdk, 0", "refuse, auto, 0"})
    void warnsOfHalfClosedClientsThatTlsCannotServe(String halfClose, String engine, int count) throws IOException {
        OcspVectors.write("chain.crt", folder, "it.crt");
        OcspVectors.write("site.key", folder, "it.key");
        mode("it.key", "rw-------");
        List<String> warnings = warnings(
                SITE + ROUTES,
                "transport.tls-engine=" + engine,
                "limits.half-close=" + halfClose,
                "listeners.web.tls={certificates: [{certificate-file: it.crt, private-key-file: it.key}]}");
        assertThat(warnings)
                .hasSize(count)
                .allSatisfy(one -> assertThat(one).contains("limits.half-close: allow", "tls-engine: jdk"));
    }
}
