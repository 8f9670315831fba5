package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.HostPort;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what does not fit together: certificates, origin names and routes; endpoints and listeners; exceptions for every client. */
class SiteChecksTest {

    private static final String SITE = """
        listeners: [{name: web, address: "127.0.0.1:8080"}, {name: out, address: "127.0.0.1:8081", mode: forward, forward: p}]
        forward: {p: {token: off}}
        upstreams: [{name: app, endpoints: ["127.0.0.1:9000"]}]
        privacy-pass: {issuers: [{name: issuer.example, directory: "https://issuer.example/d"}]}
        rate-limits: [{name: room, rate: 10/s, fair-queue: {}}]
        """;

    private static final String ROUTES = "routes: [{upstream: app, rate-limit: room}]\n";

    @TempDir
    private static Path folder;

    @BeforeAll
    static void certificates() throws IOException {
        TestCertificate root = TestCertificate.ec(folder, "root", "dns:root.example");
        TestCertificate.ec(folder, "a", "dns:a.example", "dns:www.a.example");
        TestCertificate.ec(folder, "wild", "dns:*.b.example");
        TestCertificate middle = root.signs(folder, "middle", "dns:middle.example");
        TestCertificate leaf = middle.signs(folder, "leaf", "dns:a.example");
        chain("whole.crt", leaf, middle);
        chain("broken.crt", leaf, root);
        chain("more.crt", leaf, middle, leaf);
    }

    private static void chain(String file, TestCertificate... certificates) throws IOException {
        StringBuilder all = new StringBuilder();
        for (TestCertificate one : certificates) {
            all.append(Files.readString(one.certificate()));
        }
        Files.writeString(folder.resolve(file), all);
    }

    private static LoadedConfig read(String routes, String... flags) {
        return new ConfigReader(Map.of(), List.of(flags)).read("g.yaml", SITE + routes, folder);
    }

    /** Returns the warnings that contain one of the words. */
    private static List<String> warnings(LoadedConfig loaded, String... words) {
        assertThat(loaded.problems()).isEmpty();
        return loaded.warnings().stream()
                .map(Problem::toString)
                .filter(line -> !line.contains("chmod") && Stream.of(words).anyMatch(line::contains))
                .toList();
    }

    // ---- certificates

    private static String tls(String... files) {
        List<String> pairs = Stream.of(files)
                .map(file -> "{certificate-file: " + file + ".crt, private-key-file: "
                        + (file.equals("a") || file.equals("wild") ? file : "leaf") + ".key}")
                .toList();
        return "listeners.web.tls={certificates: " + pairs + "}";
    }

    private static List<String> ofNames(String host, String... files) {
        String routes = "routes: [{host: \"" + host + "\", upstream: app, token: off, rate-limit: room}]\n";
        return warnings(read(routes, tls(files)), "certificate");
    }

    @ParameterizedTest
    @CsvSource({"a.example, a", "www.a.example, a", "x.b.example, wild", "*.b.example, wild", "*.example, a", "*, a"})
    void hostsThatACertificateNamesAreFine(String host, String file) {
        assertThat(ofNames(host, file)).isEmpty();
    }

    @Test
    void aHostThatNoCertificateNamesIsAWarning() {
        String text = ": no certificate of a listener has this name, and clients refuse others; add one for it";
        assertThat(ofNames("b.example", "a"))
                .containsExactly(
                        "g.yaml:6:17: routes.0.host: b.example" + text,
                        "--set listeners.web.tls: listeners.0.tls.certificates.0.certificate-file: for a.example,"
                                + " www.a.example: no route has a host of these; add the route, or remove the"
                                + " certificate");
        assertThat(ofNames("b.example", "wild")).contains("g.yaml:6:17: routes.0.host: b.example" + text);
        assertThat(ofNames("x.y.b.example", "wild")).contains("g.yaml:6:17: routes.0.host: x.y.b.example" + text);
        assertThat(ofNames("*.c.example", "wild")).contains("g.yaml:6:17: routes.0.host: *.c.example" + text);
    }

    @Test
    void aCertificateWithoutARouteIsAWarning() {
        assertThat(ofNames("a.example", "a", "wild"))
                .singleElement()
                .asString()
                .endsWith(
                        "listeners.0.tls.certificates.1.certificate-file: for *.b.example: no route has a host of these;"
                                + " add the route, or remove the certificate");
    }

    @Test
    void certificatesOfForwardListenersNameNoRoutes() {
        String other = tls("wild").replace("listeners.web", "listeners.out");
        String routes = "routes: [{host: a.example, upstream: app, token: off, rate-limit: room}]\n";
        assertThat(warnings(read(routes, other), "certificate")).isEmpty();
    }

    @Test
    void aChainWhoseIntermediateDidNotSignIsAProblem() {
        assertThat(read(ROUTES, tls("whole")).problems()).isEmpty();
        assertThat(read(ROUTES, tls("broken")).problems())
                .singleElement()
                .asString()
                .startsWith("--set listeners.web.tls: listeners.0.tls.certificates.0.certificate-file: ")
                .endsWith("broken.crt: CN=postern did not sign CN=leaf (expected: the certificate of CN=middle, which"
                        + " did)");
        assertThat(warnings(read(ROUTES, tls("more")), "signed none"))
                .singleElement()
                .asString()
                .endsWith("more.crt: CN=leaf signed none of the certificates before it; remove it");
    }

    // ---- origin names

    private static List<String> ofOrigins(String names, String route, String... more) {
        String routes = "routes: [{upstream: app, rate-limit: room, " + route + "}]\n";
        String[] flags = Stream.concat(Stream.of("privacy-pass.origin-names=" + names), Stream.of(more))
                .toArray(String[]::new);
        return warnings(read(routes, flags), "obtain tokens");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "[a.example] ~ host: a.example",
                "['a.example:8443'] ~ host: a.example",
                "[x.a.example] ~ host: '*.a.example'",
                "[a.example] ~ host: '*'",
                "[] ~ host: a.example",
                "[b.example] ~ host: a.example, token: off",
                "[b.example] ~ host: a.example, challenge: {origin-names: [a.example]}",
            })
    void namesOfRoutesAreFine(String names, String route) {
        assertThat(ofOrigins(names, route).stream()
                        .filter(line -> !route.contains("challenge") || !line.contains("privacy-pass"))
                        .toList())
                .isEmpty();
    }

    @Test
    void anOriginNameWithoutARouteIsAWarning() {
        String text = ": no route with a token has this host, and clients obtain tokens for the host that they request"
                + " only; write the hosts of the routes";
        assertThat(ofOrigins("[b.example]", "host: a.example"))
                .containsExactly("--set privacy-pass.origin-names: privacy-pass.origin-names.0: b.example" + text);
        assertThat(ofOrigins("[]", "host: a.example, challenge: {origin-names: [a.example, c.example]}"))
                .singleElement()
                .asString()
                .endsWith("routes.0.challenge.origin-names.1: c.example" + text);
    }

    @Test
    void aHostWithoutAnOriginNameIsAWarning() {
        String routes =
                "routes: [{upstream: app, host: a.example, rate-limit: room}, {upstream: app, host: b.example}]\n";

        assertThat(warnings(read(routes, "privacy-pass.origin-names=[a.example]"), "obtain tokens"))
                .containsExactly("g.yaml:6:84: routes.1.host: b.example: not one of the origin names [a.example], and"
                        + " clients obtain tokens for the host that they request only; add it to origin-names");
    }

    @Test
    void forwardListenersUseTheCommonNames() {
        assertThat(ofOrigins("[proxy.example]", "host: '*'", "forward.p.token=required"))
                .isEmpty();
    }

    // ---- loops

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:80, 127.0.0.1:80, true",
        "127.0.0.1:81, 127.0.0.1:80, false",
        "127.0.0.2:80, 127.0.0.1:80, false",
        "127.0.0.1:80, 0.0.0.0:80, true",
        "127.0.0.9:80, '*:80', true",
        "[::1]:80, '*:80', true",
        "[::1]:80, 0.0.0.0:80, false",
        "[::1]:80, [::]:80, true",
        "10.0.0.1:80, 0.0.0.0:80, false",
        "localhost:80, 127.0.0.1:80, true",
        "localhost:80, 0.0.0.0:80, true",
        "LocalHost:80, [::1]:80, true",
        "app.example:80, 127.0.0.1:80, false",
        "App.example:80, app.example:80, true",
        "0.0.0.0:80, 127.0.0.1:80, true",
        "0.0.0.0:80, 10.0.0.1:80, false",
        "127.0.0.1:80, 127.0.0.1:0, false",
        "10.0.0.1:80, 10.0.0.1:80, true",
    })
    void knowsItsOwnAddresses(String endpoint, String own, boolean reaches) {
        assertThat(LoopChecks.reaches(HostPort.of(endpoint), HostPort.of(own))).isEqualTo(reaches);
    }

    @Test
    void anEndpointThatIsAListenerIsAProblem() {
        assertThat(read(ROUTES, "upstreams.app.endpoints=[\"10.0.0.1:1\", \"localhost:8080 weight=2\"]")
                        .problems())
                .singleElement()
                .asString()
                .endsWith(
                        "upstreams.0.endpoints.1: localhost:8080 weight=2 (expected: a server behind this gateway; this"
                                + " is listeners.0.address (g.yaml:1:34), so that requests would come back)");
        assertThat(read(ROUTES, "upstreams.app.endpoints=[\"127.0.0.1:8081\"]").problems())
                .hasSize(1);
        assertThat(warnings(read(ROUTES, "upstreams.app.endpoints=[\"127.0.0.1:9180\", \"unix:/x\"]"), "admin.address"))
                .singleElement()
                .asString()
                .contains(
                        "127.0.0.1:9180: this is admin.address; clients of the route reach what is meant for operators");
    }

    // ---- exceptions for everyone

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "rate-limits.room.fair-queue.bypass=[/] ~ bypass.0: /: every request passes without waiting; name the"
                        + " paths that may",
                "rate-limits.room.fair-queue.bypass=[10.0.0.0/8, //] ~ bypass.1: /: every request passes without",
                "rate-limits.room.fair-queue.bypass=[0.0.0.0/0] ~ bypass: [0.0.0.0/0]: every IPv4 client passes without"
                        + " waiting; name the addresses that may",
                "rate-limits.room.fair-queue.bypass=[/a, '::/1', '8000::/1'] ~ bypass: [::/1, 8000::/1]: every IPv6"
                        + " client passes",
                "rate-limits.room.fair-queue.bypass=[10.0.0.0/8, /a] ~",
                "routes.0.maintenance={bypass: [0.0.0.0/0]} ~ routes.0.maintenance.bypass: [0.0.0.0/0]: every IPv4"
                        + " client reaches the closed route; name the addresses of those who test it",
                "routes.0.maintenance={bypass: [10.0.0.0/8]} ~",
            })
    void anExceptionForEveryClientIsAWarning(String flag, @Nullable String expected) {
        List<String> found = warnings(read(ROUTES, flag), "every ");
        if (expected == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).singleElement().asString().contains(expected);
        }
    }

    @Test
    void exceptionsForAllRoutesOfARoomAreAWarning() {
        String routes = "routes: [{upstream: app, path: /a/b, rate-limit: room}, {upstream: app, path: %s, rate-limit:"
                + " room}]\n";
        String flag = "rate-limits.room.fair-queue.bypass=[/a, /c]";

        assertThat(warnings(read(routes.formatted("/c"), flag), "every "))
                .containsExactly("--set rate-limits.room.fair-queue.bypass: rate-limits.0.fair-queue.bypass: [/a, /c]:"
                        + " every route of room passes without waiting; remove what need not");
        assertThat(warnings(read(routes.formatted("/d"), flag), "every ")).isEmpty();
    }

    // ---- placeholders of other programs

    @Test
    void templatesThatNothingFilledAreWarnings() {
        String routes =
                "routes: [{upstream: app, rate-limit: room, headers: {set: {X-A: '{{ .Values.a }}', X-B: '{{host}}'}}}]\n";

        assertThat(warnings(read(routes), "stands for itself"))
                .containsExactly(
                        "g.yaml:6:65: routes.0.headers.set.X-A: {{ .Values.a }}: {{ .Values.a }} stands for itself;"
                                + " nothing fills it in here",
                        "g.yaml:6:89: routes.0.headers.set.X-B: {{host}}: {{host}} stands for itself; for its value,"
                                + " write {host}");
        assertThat(read(routes.replace("{{host}}", "%{REMOTE_ADDR}")).problems())
                .singleElement()
                .asString()
                .contains("X-B: %{REMOTE_ADDR} (expected: none but {client-address} ");
    }
}
