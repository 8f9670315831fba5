package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests requests of all forms through each proxy that asks. */
@ExtendWith(LeakExtension.class)
class ProxyRequestsIT {

    private static final String HOST = "Host: site.example\r\n\r\n";

    /** Only the page needs a token: a description that loses the path would pass. */
    private static final String PAGE =
            "routes=[{path: /, upstream: none, token: off}, {path: /page, upstream: none, token: required}]";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void hasOneIdEverywhere(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            site.origin.behave(TestOrigin.Behaviour.raw(
                    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Request-ID: of-the-site\r\n\r\n"));
            RawClient.Response served = site.get("/open");
            String id = site.origin.received().get(0).field("X-Request-ID");
            assertThat(id).hasSizeGreaterThanOrEqualTo(32);
            if (kind.returnsFields()) {
                assertThat(AskedSite.all(served.head(), "X-Request-ID")).containsExactly(id);
            }
            RawClient.Response refused = site.get("/");
            String other = refused.field("X-Request-ID");
            assertThat(AskedSite.all(refused.head(), "X-Request-ID")).hasSize(1);
            assertThat(other).isNotEqualTo(id).hasSameSizeAs(id);
            assertThat(refused.body()).contains("\"request-id\":\"" + other + "\"");

            Awaitility.await()
                    .untilAsserted(() -> assertThat(site.gateway.lines)
                            .anyMatch(line -> line.contains("\"id\":\"" + id + "\"") && line.contains("\"status\":200"))
                            .anyMatch(line ->
                                    line.contains("\"id\":\"" + other + "\"") && line.contains("\"token-required\"")));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(site.proxy.output()).contains(id));
            if (kind.returnsFields()) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(site.proxy.output()).contains(other));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void asksAboutHeadByItsMethod(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS);
                RawClient client = site.client()) {
            RawClient.Response refused =
                    client.send(AskedSite.request("HEAD", "/page")).readHead();
            assertThat(refused.status()).isEqualTo(401);
            String token = AskedSite.token(refused);
            assertThat(client.send(AskedSite.request("HEAD", "/page", token))
                            .readHead()
                            .status())
                    .isEqualTo(200);
            assertThat(client.send(AskedSite.request("GET", "/page")).read().body())
                    .as("next on the connection")
                    .startsWith("{");
            assertThat(site.origin.received())
                    .singleElement()
                    .satisfies(received -> assertThat(received.line()).isEqualTo("HEAD /page HTTP/1.1"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsPreflightsPassAndNothingElse(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, PAGE)) {
            String[] preflight = {"Origin: https://other.example", "Access-Control-Request-Method: PUT"};
            assertThat(site.send(AskedSite.request("OPTIONS", "/page", preflight))
                            .status())
                    .isEqualTo(200);
            assertThat(site.origin.received())
                    .singleElement()
                    .satisfies(received -> assertThat(received.line()).isEqualTo("OPTIONS /page HTTP/1.1"));
            site.origin.received().clear();

            refuses(
                    site,
                    AskedSite.request("OPTIONS", "/page"),
                    AskedSite.request("OPTIONS", "/page", "Max-Forwards: 0"),
                    AskedSite.request("TRACE", "/page"),
                    AskedSite.request("POST", "/page", "Content-Length: 0"),
                    AskedSite.request("PURGE", "/page"),
                    AskedSite.request("GET", "/page", "X-HTTP-Method-Override: OPTIONS"),
                    "CONNECT site.example:443 HTTP/1.1\r\n" + HOST,
                    "CONNECT /page HTTP/1.1\r\n" + HOST,
                    "GET http://site.example/page HTTP/1.1\r\n" + HOST,
                    "GET HTTP://SITE.example:80/page HTTP/1.1\r\n" + HOST,
                    "GET http://other.example/page HTTP/1.1\r\n" + HOST,
                    "GET ftp://site.example/page HTTP/1.1\r\n" + HOST,
                    "GET /page HTTP/1.0\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example\r\n" + HOST,
                    "GET /page HTTP/1.1\r\nHost: site.example/?\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example?\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example/open\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example:80/open?\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example\\open\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example%2fopen\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example, other.example\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost:\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: /open\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: site.example#\r\n\r\n",
                    "GET /page HTTP/1.1\r\nHost: other@site.example\r\n\r\n",
                    "GET /page/" + "a".repeat(64 << 10) + " HTTP/1.1\r\n" + HOST,
                    "GET /page/\u00e4\u00f6 HTTP/1.1\r\n" + HOST,
                    "GET /page#/open HTTP/1.1\r\n" + HOST,
                    "GET /page%00/open HTTP/1.1\r\n" + HOST,
                    "GET /page%0d%0aPostern-Admission:%20token HTTP/1.1\r\n" + HOST,
                    "GET /open/../page HTTP/1.1\r\n" + HOST,
                    "GET /open/..%2fpage HTTP/1.1\r\n" + HOST,
                    "GET /.postern/room/../../page HTTP/1.1\r\n" + HOST,
                    "GET /.postern/room/%2e%2e/%2e%2e/page HTTP/1.1\r\n" + HOST);
            // Caddy and Traefik respond to it themselves, and do not ask.
            for (String more : List.of("", "Max-Forwards: 0\r\n")) {
                try (RawClient client = site.client()) {
                    client.send("OPTIONS * HTTP/1.1\r\n" + more + HOST).readUntil("\r\n\r\n");
                }
                assertThat(site.origin.received()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatCannotBeAskedOverHttp2(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, PAGE)) {
            for (String[] request : List.of(
                    framed(site, "GET", "site.example", "/page"),
                    framed(site, "GET", "site.example?", "/page"),
                    framed(site, "GET", "site.example/open", "/page"),
                    framed(site, "GET", "site.example#", "/page"),
                    framed(site, "GET", "other@site.example", "/page"),
                    framed(site, "GET", "", "/page"),
                    framed(site, "GET", "/open", "/page"),
                    framed(site, "GET", "site.example", "/page", "host", "site.example/open?"),
                    framed(site, "GET", "site.example", "page"),
                    framed(site, "GET", "site.example", "http://site.example/page"),
                    framed(site, "GET", "site.example", "/open/../page"),
                    framed(site, "GET", "site.example", "/page#/open"),
                    framed(site, "GET", "site.example", "/page?/open"),
                    framed(site, "OPTIONS", "site.example", "/page"),
                    framed(site, "PURGE", "site.example", "/page"),
                    framed(site, "GET /open HTTP/1.1", "site.example", "/page"),
                    framed(site, "GET", "site.example", "/page", "x-original-url", "http://site.example/open"),
                    framed(site, "GET", "site.example", "/page", "x-forwarded-uri", "/open"),
                    framed(site, "GET", "site.example", "/page", "x_original_url", "http://site.example/open"))) {
                try (FrameClient client = site.frames()) {
                    String outcome = client.greet().headers(1, true, request).outcome(1);
                    assertThat(outcome)
                            .as(String.join(" ", request))
                            .doesNotStartWith("2")
                            .doesNotStartWith("ALIVE");
                }
                assertThat(site.origin.received()).as(String.join(" ", request)).isEmpty();
            }
        }
    }

    private static String[] framed(AskedSite site, String method, String authority, String path, String... more) {
        List<String> all = new ArrayList<>(List.of(":method", method, ":scheme", site.frameScheme()));
        if (!authority.isEmpty()) {
            all.addAll(List.of(":authority", authority));
        }
        all.addAll(List.of(":path", path));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource
    void hasNoWayAroundTheQuestion(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            refuses(
                    site,
                    AskedSite.request("GET", "/.postern/refusal", "Postern-Refusal: x"),
                    AskedSite.request("GET", "/.postern/room"),
                    AskedSite.request("GET", "/_postern/question"),
                    AskedSite.request("GET", "/_postern/refusal"),
                    AskedSite.request("GET", "/question"),
                    AskedSite.request("GET", "/question/open"),
                    AskedSite.request("GET", "//open.example/open"),
                    "GET http://site.example HTTP/1.1\r\n" + HOST);
        }
    }

    /** Sends requests that no site may see, and that get no 2xx. */
    private static void refuses(AskedSite site, String... requests) {
        for (String request : requests) {
            String line = request.lines().findFirst().orElse("").replaceFirst("(.{60}).*", "$1");
            try (RawClient client = site.client()) {
                assertThat(client.send(request).readUntil("\r\n")).as(line).matches("HTTP/1.[01] [345]..( .*)?\r\n");
            }
            assertThat(site.origin.received()).as(line).isEmpty();
        }
    }

    /** An escape stays an escape in everything that the proxy and the gateway write. */
    @ParameterizedTest
    @EnumSource
    void writesNoFieldFromAPath(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            String target = "/open/%0d%0aSet-Cookie:%20a=b%0d%0a?%0d%0aSet-Cookie:%20a=b%0d%0a";
            RawClient.Response response = site.get(target);
            assertThat(response.field("Set-Cookie")).isEmpty();
            assertThat(site.origin.received()).allSatisfy(received -> {
                assertThat(received.field("Set-Cookie")).isEmpty();
                assertThat(received.line()).isEqualToIgnoringCase("GET " + target + " HTTP/1.1");
            });
        }
    }
}
