package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests responses that routes generate: static ones, redirects, maintenance and pages of refusals. */
class RouteResponsesTest {

    @TempDir
    private Path folder;

    private static String route(String keys) {
        return "routes=[{upstream: app, token: off, " + keys + "}]";
    }

    @Test
    void routesRespondThemselves() {
        String routes = "routes=[{upstream: app, token: required},"
                + " {path: /robots.txt, respond: {body: \"User-agent: *\\n\", headers: {X-A: b}}},"
                + " {path: /gone, respond: {status: 410, body: <p>gone, headers: {Content-Type: text/html,"
                + " Cache-Control: max-age=60}}}, {path: /old, redirect: {to: /new}}, {path: /new, redirect: {to: /new}}]";
        try (MemorySite site = MemorySite.with(routes, Site.issuer())) {
            RawClient.Response robots = site.get("/robots.txt");
            assertThat(robots.status()).isEqualTo(200);
            assertThat(robots.body()).isEqualTo("User-agent: *\n");
            assertThat(robots.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(robots.field("Cache-Control")).isEqualTo("no-store");
            assertThat(robots.field("X-A")).isEqualTo("b");
            RawClient.Response gone = site.get("/gone/x");
            assertThat(gone.status()).isEqualTo(410);
            assertThat(gone.body()).isEqualTo("<p>gone");
            assertThat(gone.field("Content-Type")).isEqualTo("text/html");
            assertThat(gone.field("Cache-Control")).isEqualTo("max-age=60");
            assertThat(site.get("/old").field("Location")).isEqualTo("/new");
            assertThat(site.get("/new").body()).contains("\"code\":\"route-not-found\"");
            assertThat(site.get("/other").status()).isEqualTo(401);
            assertThat(site.origin.received()).isEmpty();
        }
    }

    @Test
    void responsesMayNameTheIdOfTheRequest() {
        String routes = "routes=[{upstream: app, token: off},"
                + " {path: /teapot, respond: {status: 418, body: '{{status} {\"status\": {status}, \"id\": \"{request-id}\"}'}}]";
        try (MemorySite site = MemorySite.with(routes)) {
            RawClient.Response first = site.get("/teapot");
            String id = first.field("X-Request-ID");
            assertThat(id).isNotEmpty();
            assertThat(first.body()).isEqualTo("{status} {\"status\": 418, \"id\": \"" + id + "\"}");
            assertThat(first.field("Content-Length"))
                    .isEqualTo("" + first.body().length());
            assertThat(site.get("/teapot").body()).isNotEqualTo(first.body());
        }
        try (MemorySite site = MemorySite.with(routes, "listeners.web.request-id=null")) {
            assertThat(site.get("/teapot").body()).isEqualTo("{status} {\"status\": 418, \"id\": \"\"}");
        }
    }

    @Test
    void refusalsHaveTheConfiguredPages() throws IOException {
        Files.writeString(folder.resolve("closed.html"), "<h1>closed</h1>");
        Files.writeString(folder.resolve("denied.html"), "<h1>denied</h1>");
        String html = "Accept: text/html";
        try (MemorySite site = MemorySite.in(
                folder,
                route(
                        "deny: [203.0.113.7], error-pages: {403: closed.html, 502: closed.html, address-denied: denied.html}"),
                "upstreams.app.endpoints=[\"127.0.0.1:1\"]")) {
            assertThat(site.get("/", html).body()).isEqualTo("<h1>closed</h1>");
            assertThat(site.get("/", html).status()).isEqualTo(502);
            assertThat(site.get("/", html).field("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(site.get("/").body()).contains("\"code\":\"upstream-refused\"");
            try (RawClient client = site.connect("203.0.113.7")) {
                assertThat(client.send(Site.request("GET", "/", html)).read().body())
                        .as("the code counts before the status")
                        .isEqualTo("<h1>denied</h1>");
            }
            assertThat(site.get("/..%2f", html).body()).contains(">request-malformed</code>");
        }
    }

    @Test
    void pagesOfRefusalsMayNameTheirCause() throws IOException {
        Files.writeString(
                folder.resolve("page.html"), "<style>p{margin:0}</style>{status} {code}: {detail} ({request-id})");
        String page = route("deny: [203.0.113.7], error-pages: {403: page.html}");
        try (MemorySite site = MemorySite.in(folder, page);
                RawClient client = site.connect("203.0.113.7")) {
            RawClient.Response refused =
                    client.send(Site.request("GET", "/", "Accept: text/html")).read();
            assertThat(refused.body())
                    .startsWith("<style>p{margin:0}</style>403 address-denied: ")
                    .endsWith(" (" + refused.field("X-Request-ID") + ")");
        }
        Files.writeString(folder.resolve("page.html"), "<p>{cause}");
        assertThatThrownBy(() -> MemorySite.in(folder, page))
                .hasStackTraceContaining("routes.0.error-pages.403: page.html: {cause} (expected: none but {request-id}"
                        + " {status} {code} {detail}, and {{cause} for the text itself)");
    }

    @Test
    void redirectsBeforeRequiringAToken() {
        String routes = "routes=[{host: site.example, upstream: app, token: required,"
                + " redirect: {to: \"https://{host}{path}{query}\", status: %s}}]";
        try (MemorySite site =
                MemorySite.with(routes.formatted(308), Site.issuer(), "listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            RawClient.Response redirect = site.get("/a/../b%2f?c=d", "X-Forwarded-Host: evil.example");
            assertThat(redirect.status()).isEqualTo(308);
            assertThat(redirect.field("Location")).isEqualTo("https://site.example/b%2F?c=d");
            assertThat(site.get("/", "Host: site.example:80").field("Location")).isEqualTo("https://site.example/");
            assertThat(site.get("//evil.example/").field("Location")).isEqualTo("https://site.example/evil.example/");
            assertThat(site.get("/", "Host: evil.example").status()).isEqualTo(421);
            assertThat(site.get("/", "X-Forwarded-Proto: https").status())
                    .as("already at the target")
                    .isEqualTo(401);
        }
        try (MemorySite site = MemorySite.with(routes.formatted(302), Site.issuer())) {
            RawClient.Response redirect = site.get("/");
            assertThat(redirect.status()).isEqualTo(302);
            assertThat(redirect.field("Cache-Control")).isEqualTo("no-store");
            assertThat(site.origin.received()).isEmpty();
        }
    }

    @Test
    void redirectsWithinASiteEnd() {
        try (MemorySite site = MemorySite.with(route("redirect: {to: \"/new#top\"}"))) {
            RawClient.Response redirect = site.get("/old?x");
            assertThat(redirect.status()).isEqualTo(307);
            assertThat(redirect.field("Location")).isEqualTo("/new#top");
            assertThat(site.get("/new").status()).isEqualTo(200);
        }
    }

    @Test
    void maintenanceRefusesRequests() throws IOException {
        Files.writeString(folder.resolve("closed.html"), "<h1>Back soon</h1>");
        String maintenance = "maintenance: {retry-after: 2m%s}";
        try (MemorySite site = MemorySite.in(
                folder,
                "routes=[{upstream: app, token: required, " + maintenance.formatted(", page: closed.html") + "}]",
                Site.issuer())) {
            RawClient.Response page = site.get("/", "Accept: text/html");
            assertThat(page.status()).isEqualTo(503);
            assertThat(page.field("Retry-After")).isEqualTo("120");
            assertThat(page.field("Content-Type")).startsWith("text/html");
            assertThat(page.field("Cache-Control")).isEqualTo("no-store");
            assertThat(page.body()).isEqualTo("<h1>Back soon</h1>");
            RawClient.Response problem = site.get("/");
            assertThat(problem.body()).contains("\"code\":\"maintenance\"");
            assertThat(problem.field("Retry-After")).isEqualTo("120");
            assertThat(site.metrics())
                    .contains("postern_refusals_total{blame=\"gateway\",code=\"maintenance\",reason=\"\"} 2.0\n");
        }
        try (MemorySite site = MemorySite.with(route(maintenance.formatted(", bypass: [127.0.0.0/8]")))) {
            assertThat(site.get("/").status()).isEqualTo(200);
        }
        try (MemorySite site = MemorySite.with(route(maintenance.formatted(", bypass: [203.0.113.0/24]")))) {
            assertThat(site.get("/", "X-Forwarded-For: 203.0.113.9").status()).isEqualTo(503);
        }
        assertThatThrownBy(() -> MemorySite.with(route("maintenance: {page: missing.html}")))
                .hasStackTraceContaining("missing.html (expected: a file that can be read)");
    }
}
