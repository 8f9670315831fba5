package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests listeners in mode authorize: which requests of another proxy's clients pass. */
class QuestionsTest {

    private static final String TOKENS = "routes=[{upstream: none, path: /secret}, {upstream: none, token: off}]";
    private static final String OPEN = "routes=[{upstream: none, token: off}]";

    @ParameterizedTest
    @EnumSource
    void aTokenPassesOnce(Asking proxy) {
        try (MemorySite site = proxy.site(TOKENS, Site.issuer())) {
            RawClient.Response refused = proxy.ask(site, "https://gateway.example/secret/7");
            assertThat(refused.status()).isEqualTo(401);
            String token = "Authorization: " + Site.MINT.response(refused.field("WWW-Authenticate"));

            RawClient.Response allowed = proxy.askBy("POST", site, "https://gateway.example/secret/8?q=1", token);
            assertThat(allowed.status()).isEqualTo(200);
            assertThat(allowed.field("Postern-Admission")).isEqualTo("token");
            assertThat(allowed.field("X-Request-ID")).isNotEmpty();
            assertThat(allowed.body()).isEmpty();

            assertThat(proxy.ask(site, "https://gateway.example/secret/8", token)
                            .status())
                    .isEqualTo(401);
            site.pass(Duration.ofSeconds(5));
            assertThat(proxy.ask(site, "https://gateway.example/secret/8", token)
                            .status())
                    .as("not refunded")
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDescribedPathCountsAndNotThatOfTheQuestion(Asking proxy) {
        try (MemorySite site = proxy.site(TOKENS, Site.issuer())) {
            assertThat(proxy.ask(site, "http://gateway.example/open").field("Postern-Admission"))
                    .isEqualTo("open");
            assertThat(proxy.ask(site, "http://gateway.example/secret").status())
                    .isEqualTo(401);
        }
    }

    @Test
    void eachDialectHasItsOwnDescription() {
        String routes = "routes=[{upstream: none, path: /secret}, {upstream: none, token: off}]";
        String[] both = {
            "X-Original-Method: GET", "X-Original-URL: http://a/secret", "X-Forwarded-Method: GET",
            "X-Forwarded-Proto: http", "X-Forwarded-Host: a", "X-Forwarded-Uri: /open"
        };
        String question = "GET /ask HTTP/1.1\r\nHost: a\r\n" + String.join("\r\n", both) + "\r\n\r\n";
        try (MemorySite site = Asking.NGINX.site(routes, Site.issuer())) {
            assertThat(Asking.send(site, Asking.PROXY, question).status()).isEqualTo(401);
        }
        try (MemorySite site = Asking.NGINX.site(routes, Site.issuer(), "listeners.web.dialect=forwarded")) {
            assertThat(Asking.send(site, Asking.PROXY, question).status()).isEqualTo(200);
        }
        try (MemorySite site = Asking.NGINX.site(
                routes, Site.issuer(), "listeners.web.dialect=envoy", "listeners.web.path-prefix=/ask")) {
            assertThat(Asking.send(site, Asking.PROXY, question.replace("/ask", "/ask/open"))
                            .status())
                    .isEqualTo(200);
            assertThat(Asking.send(site, Asking.PROXY, question.replace("/ask", "/ask/secret"))
                            .status())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersLearnNothing(Asking proxy) {
        try (MemorySite site = proxy.site(OPEN)) {
            String question = proxy.head("GET", "http://gateway.example/")
                    + String.join("\r\n", proxy.describe("GET", "http://gateway.example/")) + "\r\n\r\n";
            RawClient.Response response = Asking.send(site, Asking.STRANGER, question);

            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body()).isEmpty();
            assertThat(Asking.send(site, Asking.PROXY, question).status()).isEqualTo(200);
        }
    }

    /** The status of a refusal of gRPC is 200 in HTTP. */
    @ParameterizedTest
    @EnumSource
    void refusalsOfGrpcAreRefusals(Asking proxy) {
        try (MemorySite site = proxy.site(TOKENS, Site.issuer());
                FrameClient trusted = site.connect2(Asking.PROXY);
                FrameClient stranger = site.connect2(Asking.STRANGER)) {
            String[] fields = {
                "content-type", "application/grpc", "x-original-method", "POST", "x-original-url", "http://a/secret",
                "x-forwarded-method", "POST", "x-forwarded-uri", "/secret", "x-forwarded-host", "a",
                "x-forwarded-proto", "http"
            };
            assertThat(trusted.get(1, "/ask/secret", fields).response(1).status())
                    .isEqualTo("401");
            assertThat(stranger.get(1, "/ask/secret", fields).response(1).status())
                    .isEqualTo("403");
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyPermissionHasAStatusBelow300(Asking proxy) {
        try (MemorySite site = proxy.site("routes=[{upstream: none, host: gateway.example, token: off}]")) {
            for (String method : List.of("OPTIONS", "CONNECT", "TRACE")) {
                RawClient.Response none = proxy.askBy(method, site, "http://nowhere.example/", "Max-Forwards: 0");
                assertThat(none.status()).as(method).isGreaterThan(399);
            }
            RawClient.Response options = proxy.askBy("OPTIONS", site, "http://gateway.example/", "Max-Forwards: 0");
            assertThat(options.field("Postern-Admission"))
                    .as("forwarded by the proxy")
                    .isEqualTo("open");
            assertThat(proxy.ask(site, "http://gateway.example/.postern/room/site")
                            .status())
                    .isGreaterThan(399);
            assertThat(proxy.ask(site, "http://gateway.example/.postern/refusal")
                            .status())
                    .isGreaterThan(399);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/open/../secret",
                "/open/;/../secret",
                "/secret/../open",
                "//secret",
                "/./secret",
                "/open/%2e%2e/secret",
                "/open/..%2fsecret",
                "/open;/../secret",
                "/secret;x/../open",
                "/%73ecret/..//open"
            })
    void pathsOfTwoReadingsAreRefused(String path) {
        for (Asking proxy : Asking.values()) {
            try (MemorySite site = proxy.site(
                    "routes=[{upstream: none, path: /secret}, {upstream: none, path: /open, token: off},"
                            + " {upstream: none}]",
                    Site.issuer())) {
                RawClient.Response response = proxy.ask(site, "http://gateway.example" + path);
                assertThat(response.status()).as(proxy + " " + path).isIn(400, 401, 403);
                assertThat(proxy.ask(site, "http://gateway.example/open/a;v=1/b")
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    /** The proxy forwards the path as described, whatever the route would send to an upstream. */
    @ParameterizedTest
    @ValueSource(strings = {"path-form: normal", "rewrite: /new"})
    void readingsAreThoseOfTheDescribedPath(String key) {
        try (MemorySite site = Asking.NGINX.site(
                "routes=[{upstream: app, path: /secret}, {upstream: app, path: /open, token: off, " + key + "}]",
                Site.issuer())) {
            assertThat(Asking.NGINX
                            .ask(site, "http://gateway.example/secret/../open/x")
                            .status())
                    .isEqualTo(403);
        }
    }

    /** The question is GET; about a HEAD its answer is framed like any other. */
    @Test
    void aDescribedHeadDoesNotChangeTheFraming() {
        try (MemorySite site = Asking.FORWARDED.site("routes=[{upstream: none}]", Site.issuer());
                RawClient client = site.connect(Asking.PROXY)) {
            String question = Asking.FORWARDED.head("HEAD", "")
                    + String.join("\r\n", Asking.FORWARDED.describe("HEAD", "http://gateway.example/")) + "\r\n\r\n";
            RawClient.Response first = client.send(question).read();
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.body()).contains("token-required");
            assertThat(client.send(question).read().status())
                    .as("on the same connection")
                    .isEqualTo(401);
        }
    }

    @Test
    void bodiesAndUpgradesOfQuestionsAreNotNeeded() {
        try (MemorySite site = Asking.FORWARDED.site(OPEN);
                RawClient client = site.connect(Asking.PROXY)) {
            String described =
                    String.join("\r\n", Asking.FORWARDED.describe("GET", "http://gateway.example/chat")) + "\r\n";
            String upgrade = "GET / HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(upgrade + described + "\r\n").read().status())
                        .isEqualTo(200);
            }
            String body = "POST / HTTP/1.1\r\nHost: g\r\nContent-Length: 4\r\n";
            assertThat(client.send(body + described + "\r\nbody").read().status())
                    .isEqualTo(200);
            assertThat(client.send(upgrade + described + "\r\n").read().status())
                    .isEqualTo(200);
        }
    }

    /** nginx asks so without {@code proxy_http_version}. */
    @ParameterizedTest
    @EnumSource
    void questionsMayBeOfHttp10(Asking proxy) {
        try (MemorySite site = proxy.site(TOKENS, Site.issuer())) {
            for (String path : List.of("/open", "/secret")) {
                String url = "http://gateway.example" + path;
                String question = proxy.head("GET", url).replace("HTTP/1.1", "HTTP/1.0")
                        + String.join("\r\n", proxy.describe("GET", url)) + "\r\n\r\n";
                assertThat(Asking.send(site, Asking.PROXY, question).status())
                        .as(path)
                        .isEqualTo(path.equals("/open") ? 200 : 401);
            }
        }
    }

    @Test
    void questionsMayBePipelined() {
        try (MemorySite site = Asking.NGINX.site(TOKENS, Site.issuer());
                RawClient client = site.connect(Asking.PROXY)) {
            StringBuilder questions = new StringBuilder();
            for (String path : List.of("/open", "/secret", "/open")) {
                questions
                        .append(Asking.NGINX.head("", ""))
                        .append(String.join("\r\n", Asking.NGINX.describe("POST", "http://gateway.example" + path)))
                        .append("\r\n\r\n");
            }
            client.send(questions.toString());
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fieldsOfTheClientDoNotDescribe(Asking proxy) {
        try (MemorySite site = proxy.site(
                "routes=[{upstream: none, host: gateway.example}, {upstream: none, host: open.example, token: off}]",
                Site.issuer())) {
            String[] claims = {
                "Forwarded: host=open.example;proto=https",
                "X-Forwarded-Prefix: /open",
                "X-Rewrite-URL: /open",
                "X-HTTP-Method-Override: GET",
                "X-Forwarded-Port: 1"
            };
            assertThat(proxy.ask(site, "http://gateway.example/", claims).status())
                    .isEqualTo(401);
            assertThat(proxy.ask(site, "http://open.example/", claims).status()).isEqualTo(200);
        }
    }

    @Test
    void limitsCountTheClientsOfTheProxy() {
        try (MemorySite site = Asking.FORWARDED.site(
                "routes=[{upstream: none, token: off, rate-limit: site}]",
                "rate-limits=[{name: site, rate: 1/h, burst: 0, per: client-address}]")) {
            assertThat(askOf(site, "192.0.2.1")).isEqualTo(200);
            assertThat(askOf(site, "192.0.2.1")).isEqualTo(429);
            assertThat(askOf(site, "192.0.2.2")).isEqualTo(200);
        }
    }

    private static int askOf(MemorySite site, String client) {
        return Asking.send(
                        site,
                        Asking.PROXY,
                        Asking.FORWARDED.head("", "")
                                + String.join("\r\n", Asking.FORWARDED.describe("GET", "http://gateway.example/"))
                                + "\r\nX-Forwarded-For: " + client + "\r\n\r\n")
                .status();
    }

    @ParameterizedTest
    @EnumSource
    void aSessionAsksForNoToken(Asking proxy) {
        try (MemorySite site = proxy.site("routes=[{upstream: none, token: session}]", Site.issuer())) {
            RawClient.Response refused = proxy.ask(site, "https://gateway.example/");
            String token = "Authorization: " + Site.MINT.response(refused.field("WWW-Authenticate"));
            RawClient.Response sold = proxy.ask(site, "https://gateway.example/", token);
            assertThat(sold.field("Postern-Admission")).isEqualTo("token");
            assertThat(sold.field("Set-Cookie")).startsWith("__Host-postern-session=");
            String cookie = "Cookie: " + sold.field("Set-Cookie").split(";", 2)[0];
            for (int i = 0; i < 3; i++) {
                RawClient.Response file = proxy.ask(site, "https://gateway.example/" + i, cookie);
                assertThat(file.status()).isEqualTo(200);
                assertThat(file.field("Postern-Admission")).isEqualTo("session");
            }
        }
    }
}
