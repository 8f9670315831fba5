package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.OcspVectors;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests warnings about valid but dangerous configurations, with position and remedy. */
class WarningsTest {

    private static final String SITE = """
        secrets: {ring-file: ring}
        listeners: [{name: web, address: "127.0.0.1:8080"}]
        upstreams: [{name: app, endpoints: ["127.0.0.1:9000"]}, {name: other, endpoints: ["127.0.0.1:9001"]}]
        privacy-pass: {issuers: [{name: issuer.example, directory: "https://issuer.example/d"}]}
        rate-limits: [{name: site, rate: 10/s}]
        """;

    private static final String ROUTES = "routes: [{host: \"*\", upstream: app}]\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void ring() throws IOException {
        Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        mode("ring", "rw-------");
    }

    private void mode(String file, String mode) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(file), PosixFilePermissions.fromString(mode));
    }

    private LoadedConfig read(String text, String... flags) {
        return new ConfigReader(Map.of(), List.of(flags)).read("gateway.yaml", text, folder);
    }

    private List<String> warnings(String text, String... flags) {
        LoadedConfig config = read(text, flags);
        assertThat(config.problems()).isEmpty();
        return dangers(config);
    }

    /** Returns the warnings without those of the names and the stores that the test's configuration does not use. */
    private static List<String> dangers(LoadedConfig config) {
        return config.warnings().stream()
                .map(Problem::toString)
                .filter(warning -> !warning.contains("no effect without routes[].")
                        && !warning.contains("no effect without listeners[].forward")
                        && !warning.contains("no effect without privacy-pass.ledger.store: redis")
                        && !warning.contains("no effect without tracing.endpoint"))
                .toList();
    }

    @Test
    void warnsOfNothingInACommonConfiguration() {
        assertThat(warnings(SITE + ROUTES)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app, token: off} ~ */: leads to upstream app"
                        + " without the token: required of routes.0 (gateway.yaml:7:3), a.example/",
                "{host: a.example, upstream: app, token: session} ~ {host: '*', upstream: app, token: optional} ~"
                        + " without the token: session",
                "{host: a.example, upstream: app} ~ {host: '*.example', upstream: app, token: off} ~ *.example/: leads"
                        + " to",
                "{host: '*.a.example', upstream: app} ~ {host: '*.example', upstream: app, token: off} ~ *.example/:"
                        + " leads to",
                "{host: a.example, upstream: app, token: off, rate-limit: site} ~ {host: '*', upstream: app, token:"
                        + " off} ~ without the rate-limit: site",
                "{host: a.example, path: /api, upstream: app} ~ {host: '*', path: /, upstream: app, token: off} ~ */:"
                        + " leads to",
                "{host: a.example, upstream: app} ~ {host: '*', path: /open, upstream: app, token: off} ~ */open:"
                        + " leads to",
            })
    void warnsOfWeakerRouteForManyHosts(String strict, String wide, String expected) {
        assertThat(warnings(SITE + "routes:\n- " + strict + "\n- " + wide + "\n"))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:8:")
                .contains(": routes.1.host: ", expected, "Give both routes the same, or separate upstreams");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{host: a.example, upstream: app} ~ {host: '*', upstream: other, token: off}",
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app}",
                "{host: a.example, upstream: app} ~ {host: b.example, upstream: app, token: off}",
                "{host: a.example, upstream: app, token: off} ~ {host: '*', upstream: app}",
                "{host: '*', path: /api, upstream: app} ~ {host: '*', path: /, upstream: app, token: off}",
                "{host: a.example, upstream: app} ~ {host: '*', upstream: app, token: off, redirect: {to:"
                        + " 'https://a.example{path}'}}",
                "{host: a.example, path: /api, upstream: app} ~ {host: '*', path: /open, upstream: app, token: off}",
            })
    void doesNotWarnOfRoutesToOtherUpstreamsOrWithTheSameRules(String one, String other) {
        assertThat(warnings(SITE + "routes:\n- " + one + "\n- " + other + "\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{upstream: app} ~ {upstream: other, token: off, match: {cookies: {beta: '1'}}} ~ */ [cookie beta=1]: clients"
                        + " choose whether they fulfil this, and so avoid the token: required of routes.0"
                        + " (gateway.yaml:7:3), */. Require at least the same here",
                "{upstream: app} ~ {path: /a, upstream: app, token: optional, match: {methods: [POST, GET]}} ~"
                        + " */a [GET|POST]: clients choose",
                "{host: '*.example', upstream: app, token: optional} ~ {host: a.example, upstream: app, token: off, match:"
                        + " {query: {v: '2'}}} ~ token: optional of routes.0",
                "{upstream: app, token: off, rate-limit: site} ~ {upstream: app, token: off, match: {headers: {X-A: b}}}"
                        + " ~ */ [x-a:b]: clients choose whether they fulfil this, and so avoid the rate-limit: site",
                "{upstream: app, token: off, rate-limit: site} ~ {upstream: app, token: off, rate-limit: fast, match:"
                        + " {headers: {X-A: b}}} ~ avoid the rate-limit: site",
                "{upstream: app, match: {methods: [GET]}} ~ {upstream: app, token: off, match: {methods: [GET], headers:"
                        + " {X-A: b}}} ~ token: required of routes.0 (gateway.yaml:7:3), */ [GET]",
            })
    void warnsOfConditionsThatWeaken(String strict, String conditional, String expected) {
        String site = SITE.replace("rate: 10/s}", "rate: 10/s}, {name: fast, rate: 40000/h}");
        assertThat(warnings(site + "routes:\n- " + strict + "\n- " + conditional + "\n"))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:8:")
                .contains(": routes.1.match: ", expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{upstream: app} ~ {upstream: other, match: {cookies: {beta: '1'}}}",
                "{upstream: app} ~ {upstream: other, token: session, match: {cookies: {beta: '1'}}}",
                "{upstream: app, token: off} ~ {upstream: app, match: {methods: [POST]}}",
                "{path: /a, upstream: app} ~ {path: /b, upstream: app, token: off, match: {methods: [POST]}}",
                "{host: a.example, upstream: app} ~ {host: b.example, upstream: app, token: off, match: {methods: [POST]}}",
                "{upstream: app, match: {methods: [POST]}} ~ {upstream: app, token: off, match: {methods: [GET]}}",
                "{upstream: app, match: {headers: {X-A: a}}} ~ {upstream: app, token: off, match: {headers: {X-A: b}}}",
                "{host: a.example, upstream: app} ~ {host: a.example, upstream: app, token: off, match: {methods: [GET]},"
                        + " redirect: {to: 'https://b.example{path}'}}",
            })
    void doesNotWarnOfConditionsThatWeakenNothing(String one, String other) {
        assertThat(warnings(SITE + "routes:\n- " + one + "\n- " + other + "\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "listeners.web.trusted-proxies=[0.0.0.0/0] ~ listeners.0.trusted-proxies: [0.0.0.0/0]: every IPv4"
                        + " client",
                "listeners.web.trusted-proxies=['::/0'] ~ listeners.0.trusted-proxies: [::/0]: every IPv6 client",
                "listeners.web.trusted-proxies=[128.0.0.0/1, 0.0.0.0/1] ~ listeners.0.trusted-proxies: [128.0.0.0/1,"
                        + " 0.0.0.0/1]: every IPv4",
                "listeners.web.trusted-proxies=['::ffff:0.0.0.0/96'] ~ listeners.0.trusted-proxies:"
                        + " [::ffff:0.0.0.0/96]: every IPv4",
                "forward.x.allow-private=[0.0.0.0/2, 64.0.0.0/2, 10.0.0.0/8, 128.0.0.0/1] ~ forward.x.allow-private: ",
                "forward.x.allow-private=['64:ff9b::/96'] transport.nat64-prefixes=[] ~ forward.x.allow-private:"
                        + " [64:ff9b::/96]: clients reach every IPv4 address through a NAT64 translator; add its prefix to"
                        + " transport.nat64-prefixes",
                "forward.x.allow-private=['64:ff9b:1::/48'] transport.nat64-prefixes=['64:ff9b::/96'] ~"
                        + " forward.x.allow-private: [64:ff9b:1::/48]: clients reach every IPv4 address",
                "privacy-pass.issuers.0.directory=http://issuer.example/d ~ privacy-pass.issuers.0.directory:"
                        + " http://issuer.example/d: an attacker on the network path can insert keys; use https,"
                        + " or pin the key ids",
                "redis.uri=redis://:s3cret@cache:6379 ~ redis.uri: redis://cache:6379: an attacker on the network"
                        + " path can read the password and change spends; use rediss://",
                "redis.uri=redis://[2001:db8::1]:6379 ~ redis.uri: redis://[2001:db8::1]:6379: an attacker on the network",
                "redis.sentinel={master: main, nodes: ['127.0.0.1:26379', '10.0.0.1:26379']} ~ redis.uri:"
                        + " redis://10.0.0.1:26379: an attacker on the network path can read the password",
                "privacy-pass.issuers.0.directory=https://issuer.example/ ~ privacy-pass.issuers.0.directory:"
                        + " https://issuer.example/: no path; issuers have their directory at"
                        + " https://issuer.example/.well-known/private-token-issuer-directory",
                "privacy-pass.issuers.0.directory=https://issuer.example:8443 ~ privacy-pass.issuers.0.directory:"
                        + " https://issuer.example:8443: no path; issuers have their directory at"
                        + " https://issuer.example:8443/.well-known/private-token-issuer-directory",
                "routes.0.headers.set={X-A: '{client-cert-subject}'} ~ routes.0.headers.set.X-A: {client-cert-subject}: empty,"
                        + " since no listener requires a certificate by tls.client-ca-file",
            })
    void warnsOfDangers(String flag, String expected) {
        LoadedConfig config = read(SITE + ROUTES, flag.split(" (?=transport)"));

        assertThat(config.problems()).isEmpty();
        assertThat(dangers(config)).singleElement().asString().contains(": " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "listeners.web.trusted-proxies=[0.0.0.0/1]",
                "listeners.web.trusted-proxies=[0.0.0.0/1, 128.0.0.0/2, 192.0.0.1/32]",
                "listeners.web.trusted-proxies=['::/1', 10.0.0.0/8]",
                "privacy-pass.issuers.0.directory=http://127.0.0.1/d",
                "privacy-pass.issuers.0.directory=http://[::1]:1/d",
                "privacy-pass.issuers.0={name: a.example, directory: 'http://a.example/d', pin:"
                        + " [0000000000000000000000000000000000000000000000000000000000000000]}",
                "forward.x.allow-private=['64:ff9b::/96', '64:ff9b:1::/48']",
                "redis.uri=redis://localhost",
                "redis.uri=rediss://:s3cret@cache",
            })
    void doesNotWarnOfNarrowRanges(String flag) {
        assertThat(warnings(SITE + ROUTES, flag)).isEmpty();
    }

    private List<String> ofTunnels(String address, String policy) {
        String text = SITE.replace(
                        "{name: web,",
                        "{name: out, address: \"" + address + "\", mode: forward, forward: x}, {name: web,")
                + ROUTES + "forward: {x: {token: required" + policy + "}}\n";
        return warnings(text).stream()
                .filter(warning -> warning.contains("per-client"))
                .toList();
    }

    @Test
    void warnsOfUnlimitedTunnelsBeyondLoopback() {
        assertThat(ofTunnels("0.0.0.0:8081", ""))
                .hasSize(2)
                .anyMatch(warning -> warning.contains("forward.x.tunnel.per-client: 0: one client"))
                .anyMatch(warning -> warning.contains("forward.x.udp.per-client: 0: one client"));
        assertThat(ofTunnels("0.0.0.0:8081", ", tunnel: {per-client: 50}, udp: {allow-ports: []}"))
                .isEmpty();
        assertThat(ofTunnels("127.0.0.1:8081", "")).isEmpty();
    }

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
