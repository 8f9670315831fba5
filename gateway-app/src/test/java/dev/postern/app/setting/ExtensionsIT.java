package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests extensions in a gateway: the examples of {@code docs/extending.md}, and extensions that fail. */
@ExtendWith(LeakExtension.class)
class ExtensionsIT {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final String STAGE = """
            package com.example;
            import dev.postern.core.spi.*;
            import java.time.Duration;
            import java.util.concurrent.CompletableFuture;
            public final class %s implements Stage {
                @Override public int priority() { return %d; }
                @Override public Decision decide(Request request) { %s }
            }
            """;

    @TempDir
    private Path folder;

    private static List<String> docs() throws IOException {
        Matcher blocks = JAVA.matcher(Files.readString(Path.of("../docs/extending.md")));
        return blocks.results().map(block -> block.group(1)).toList();
    }

    private Site with(List<String> sources, String... settings) throws IOException {
        ExtensionJar.write(folder, sources);
        List<String> all = new java.util.ArrayList<>(List.of(settings));
        all.add("extensions.folder=" + folder);
        all.add("transport.event-loops=1"); // log lines have the order of the requests
        return Site.with(all.toArray(String[]::new));
    }

    private static String stage(String name, int priority, String body) {
        return STAGE.formatted(name, priority, body);
    }

    @Test
    void runsTheExampleOfTheDocs() throws IOException {
        assertThat(docs().get(0).lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(35);
        try (Site site = with(docs())) {
            RawClient.Response old = site.get("/", "User-Agent: App/1.7");
            assertThat(old.status()).isEqualTo(426);
            assertThat(old.body()).contains("\"app-too-old\"").contains("Please update it.");
            assertThat(site.origin.received()).isEmpty();

            assertThat(site.get("/", "User-Agent: App/2.0", "X-App: mine").status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(0).field("X-App")).isEqualTo("2.0");

            await().until(() -> site.lines.size() == 2);
            assertThat(site.lines.get(0))
                    .contains(
                            "\"code\":\"extension-refused\"",
                            "\"reason\":\"app-too-old\"",
                            "\"extra\":{\"app\":\"1.7\"}");
            assertThat(site.lines.get(1)).contains("\"extra\":{\"app\":\"2.0\"}");
        }
    }

    @Test
    void respondsWithThePageOfTheExtension() throws IOException {
        try (Site site = with(docs(), "upstreams.app.timeouts.first-byte=5s")) {
            RawClient.Response page = site.get("/", "User-Agent: App/1.7", "Accept: text/html");
            assertThat(page.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(page.body())
                    .isEqualTo("<!doctype html><title>Sorry</title><h1>app-too-old</h1><code>%s</code>"
                            .formatted(page.field("X-Request-ID")));
            assertThat(site.get("/.postern/none", "Accept: text/html").body()).contains("<h1>route-not-found</h1>");
            assertThat(site.get("/.postern/none").body()).contains("\"code\":\"route-not-found\"");
        }
    }

    @Test
    void choosesServersByTheRule() throws IOException {
        try (TestOrigin other = new TestOrigin();
                Site site = with(
                        docs(),
                        "upstreams.app.balance=first-letter",
                        "upstreams.app.endpoints=[\"" + other.address() + "\", \"" + other.address() + "\"]")) {
            assertThat(site.get("/a").status()).isEqualTo(200);
            assertThat(other.received()).hasSize(1);
        }
        try (TestOrigin even = new TestOrigin();
                TestOrigin odd = new TestOrigin();
                Site site = with(
                        docs(),
                        "upstreams.app.balance=first-letter",
                        "upstreams.app.endpoints=[\"" + even.address() + "\", \"" + odd.address() + "\"]")) {
            for (String path : List.of("/b", "/d", "/f", "/a", "/b2")) {
                assertThat(site.get(path).status()).isEqualTo(200);
            }
            assertThat(even.received()).hasSize(4);
            assertThat(odd.received()).hasSize(1);
        }
    }

    @Test
    void runsByPriorityThenByName() throws IOException {
        String body = "String way = request.value(\"X-Way\"); request.set(\"X-Way\", (way == null ? \"\" : way) + "
                + "getClass().getSimpleName()); return Decision.pass();";
        List<String> sources = List.of(
                stage("Late", 5, body), stage("Beta", 0, body), stage("Alpha", 0, body), stage("Zero", -1, body));
        try (Site site = with(sources)) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.origin.received().get(0).field("X-Way")).isEqualTo("ZeroAlphaBetaLate");
        }
    }

    @Test
    void refusesOnlyTheExchangeWhoseExtensionFails() throws IOException {
        String fails = "if (request.path().equals(\"/bad\")) throw new IllegalStateException(\"planned\"); "
                + "if (request.path().equals(\"/host\")) request.set(\"Host\", \"evil\"); "
                + "if (request.path().equals(\"/line\")) request.set(\"X-A\", \"a\\r\\nb\"); "
                + "return request.path().equals(\"/null\") ? null : Decision.pass();";
        try (Site site = with(List.of(stage("Fails", 0, fails)));
                RawClient client = site.client()) {
            for (String path : List.of("/bad", "/null", "/host", "/line")) {
                RawClient.Response response = client.get(path);
                assertThat(response.status()).as(path).isEqualTo(500);
                assertThat(response.body()).contains("\"extension-failed\"");
            }
            assertThat(client.get("/good").status()).isEqualTo(200);
            assertThat(site.origin.received()).hasSize(1);
            assertThat(site.metrics()).contains("postern_extension_faults_total{extension=\"com.example.Fails\"} 4.0");
        }
    }

    @Test
    void fallsBackWhenOtherExtensionsFail() throws IOException {
        String all = """
                package com.example;
                import dev.postern.core.spi.*;
                public final class Broken implements RefusalPage, LogField, EndpointRule {
                    @Override public String html(Request request, Decision.Refused refusal) { throw new IllegalStateException(); }
                    @Override public String name() { return "broken"; }
                    @Override public String value(Request request, int status) { throw new IllegalStateException(); }
                    @Override public Chooser open() { return (servers, key) -> 7; }
                }
                """;
        try (TestOrigin one = new TestOrigin();
                Site site = with(
                        List.of(all),
                        "upstreams.app.balance=broken",
                        "upstreams.app.endpoints=[\"" + one.address() + "\", \"" + one.address() + "\"]")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.get("/.postern/none", "Accept: text/html").body()).contains(">route-not-found</code>");
            await().until(() -> site.lines.size() == 2);
            assertThat(site.lines.get(0)).contains("\"status\":200", "\"extra\":{}");
        }
    }

    @Test
    void waitsForADecisionUpToItsDeadline() throws IOException {
        String body = "CompletableFuture<Decision> decision = new CompletableFuture<>(); "
                + "if (request.path().equals(\"/soon\")) new Thread(() -> decision.complete(Decision.pass())).start(); "
                + "if (request.path().equals(\"/no\")) decision.complete(Decision.refuse(403, \"no\", \"No.\")); "
                + "if (request.path().equals(\"/broken\")) decision.completeExceptionally(new IllegalStateException()); "
                + "return Decision.later(decision, Duration.ofMillis(request.path().equals(\"/never\") ? 50 : 10000));";
        try (Site site = with(List.of(stage("Later", 0, body)))) {
            assertThat(site.get("/soon").status()).isEqualTo(200);
            assertThat(site.get("/no").status()).isEqualTo(403);
            assertThat(site.get("/broken").body()).contains("\"extension-failed\"");
            assertThat(site.get("/never").body()).contains("\"extension-failed\"");
            assertThat(site.origin.received()).hasSize(1);
        }
    }

    @Test
    void refusesWithoutSpendingTheToken() throws IOException {
        String refuses =
                "return request.value(\"X-Refuse\") == null ? Decision.pass() : Decision.refuse(403, \"no\", \"No.\");";
        try (Site site = with(List.of(stage("Refuses", 0, refuses)), Site.TOKEN_REQUIRED, Site.issuer())) {
            String token = site.token();
            assertThat(site.get("/", "X-Refuse: yes", "Authorization: " + token).status())
                    .isEqualTo(403);
            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem(token)).isEqualTo(401);
        }
    }

    @Test
    void reportsInvalidExtensionsBeforeTheStart() throws IOException {
        assertThat(problems("upstreams.app.balance=unknown"))
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("balance: unknown (expected: least-of-two"));
        assertThat(problems("extensions.folder=" + folder.resolve("none")))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem).contains("extensions.folder: ", "(expected: a folder that can be read)"));
        ExtensionJar.write(folder, List.of(stage("Fine", 0, "return Decision.pass();")));
        assertThat(problems("extensions.folder=" + folder)).isEmpty();
    }

    @Test
    void schemeIsThatOfTheClientBeforeATrustedProxy() throws IOException {
        String body = "request.set(\"X-Scheme\", request.scheme()); return Decision.pass();";
        String claim = "X-Forwarded-Proto: https";
        try (Site site = with(List.of(stage("Scheme", 0, body)), "listeners.web.trusted-proxies=[127.0.0.9]");
                RawClient trusted = new RawClient("127.0.0.9", site.port())) {
            assertThat(trusted.send(Site.request("GET", "/", claim)).read().status())
                    .isEqualTo(200);
            assertThat(site.get("/", claim).status()).isEqualTo(200);
            try (RawClient absolute = site.client()) {
                String request = Site.request("GET", "https://site.example/");
                assertThat(absolute.send(request).read().status()).isEqualTo(200);
            }
            assertThat(site.origin.received())
                    .extracting(request -> request.field("X-Scheme"))
                    .containsExactly("https", "http", "http");
        }
    }

    @Test
    void stagesSeeThePathsThatTheUpstreamMayRead() throws IOException {
        String body =
                "request.set(\"X-Paths\", request.path() + \" \" + new java.util.TreeSet<>(request.otherPaths()));"
                        + " return Decision.pass();";
        try (Site site = with(List.of(stage("Paths", 0, body)))) {
            assertThat(site.get("/a//b").status()).isEqualTo(200);
            assertThat(site.get("/plain").status()).isEqualTo(200);
            assertThat(site.origin.received())
                    .extracting(request -> request.field("X-Paths"))
                    .containsExactly("/a/b [/a//b, /a/b]", "/plain []");
        }
    }

    private static List<String> problems(String... settings) {
        String yaml = "listeners: [{name: web, address: \"127.0.0.1:0\"}]\n"
                + "upstreams: [{name: app, endpoints: [\"127.0.0.1:1\"]}]\nroutes: [{upstream: app, token: off}]\n";
        return new ConfigReader(Map.of(), List.of(settings))
                .read("gateway.yaml", yaml, Path.of("")).problems().stream()
                        .map(Object::toString)
                        .toList();
    }
}
