package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests changes of requests and responses by routes, and responses that routes generate. */
class RouteSettingsTest {

    private static final String UPGRADE = Site.request("GET", "/", "Connection: upgrade", "Upgrade: %s");

    @TempDir
    private Path folder;

    private static String route(String keys) {
        return "routes=[{upstream: app, token: off, " + keys + "}]";
    }

    private static TestOrigin.Received last(MemorySite site) {
        return site.origin.received().get(site.origin.received().size() - 1);
    }

    @Test
    void requestsGetAndLoseFields() {
        String headers =
                "headers: {set: {X-Who: \"{client-address} {scheme}://{host}{path}{query} {{}\", User-Agent: none},"
                        + " add: {Cookie: c=d}, remove: [X-Secret, X-Forwarded-For]}";
        try (MemorySite site = MemorySite.with(route(headers + ", rewrite: /below"))) {
            site.get("/a%2Fb?c=d", "X-Secret: s", "x-secret: t", "User-Agent: some", "Cookie: a=b", "X-Who: forged");
            String head = last(site).head();
            assertThat(head.toLowerCase(Locale.ROOT))
                    .contains("\r\nx-who: 127.0.0.1 http://site.example/a%2fb?c=d {}\r\n", "\r\nuser-agent: none\r\n")
                    .contains("\r\ncookie: a=b\r\n", "\r\ncookie: c=d\r\n")
                    .doesNotContain("x-secret", "forged", "some", "x-forwarded-for");
        }
    }

    @Test
    void placeholdersFollowTrustedProxies() {
        String headers = "headers: {set: {X-Who: \"{client-address} {scheme}\"}}";
        String[] fields = {"X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"};
        try (MemorySite site = MemorySite.with(route(headers))) {
            site.get("/", fields);
            assertThat(last(site).field("X-Who")).isEqualTo("127.0.0.1 http");
        }
        try (MemorySite site = MemorySite.with(route(headers), "listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            site.get("/", fields);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.9 https");
        }
    }

    @Test
    void oneFamilyOfForwardedFieldsCounts() {
        String headers = "headers: {set: {X-Who: \"{client-address} {scheme}\"}}";
        String proxies = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        String[] fields = {
            "Forwarded: for=203.0.113.7;proto=https", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: http"
        };
        try (MemorySite site = MemorySite.with(route(headers), proxies)) {
            assertThat(site.get("/", fields).status()).isEqualTo(400);
        }
        try (MemorySite site = MemorySite.with(route(headers), proxies, "listeners.web.forwarded=forwarded")) {
            assertThat(site.get("/", fields).status()).isEqualTo(200);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.7 https");
            assertThat(last(site).field("X-Forwarded-For")).isEqualTo("203.0.113.7, 127.0.0.1");
        }
        try (MemorySite site = MemorySite.with(route(headers), proxies, "listeners.web.forwarded=x-forwarded")) {
            assertThat(site.get("/", fields).status()).isEqualTo(200);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.9 http");
            assertThat(last(site).field("Forwarded")).isEmpty();
        }
    }

    private static int status(MemorySite site, String from, String path, String... fields) {
        try (RawClient client = site.connect(from)) {
            return client.send(Site.request("GET", path, fields)).read().status();
        }
    }

    @Test
    void routesServeAllowedAddresses() throws InterruptedException {
        String routes = "routes=[{upstream: app, token: off, deny: [203.0.113.7, \"2001:db8::/32\"]},"
                + " {path: /office, upstream: app, token: required, allow: [203.0.113.0/24], deny: [203.0.113.9]}]";
        try (MemorySite site = MemorySite.with(routes, Site.issuer(), "listeners.web.trusted-proxies=[192.0.2.1]")) {
            assertThat(status(site, "203.0.113.8", "/")).isEqualTo(200);
            assertThat(status(site, "203.0.113.7", "/")).isEqualTo(403);
            assertThat(site.line()).contains("\"status\":200");
            assertThat(site.line()).contains("\"code\":\"address-denied\"").doesNotContain("203.0.113.7");
            assertThat(status(site, "2001:db8::1", "/")).isEqualTo(403);
            assertThat(status(site, "203.0.113.7", "/office"))
                    .as("of its own lists")
                    .isEqualTo(401);
            assertThat(status(site, "203.0.113.9", "/office")).isEqualTo(403);
            assertThat(status(site, "198.51.100.1", "/office")).isEqualTo(403);
            assertThat(status(site, "192.0.2.1", "/office", "X-Forwarded-For: 198.51.100.1"))
                    .isEqualTo(403);
            assertThat(status(site, "192.0.2.1", "/office", "X-Forwarded-For: ::ffff:203.0.113.1"))
                    .isEqualTo(401);
            assertThat(status(site, "198.51.100.1", "/office", "X-Forwarded-For: 203.0.113.1"))
                    .as("an address that no trusted proxy names")
                    .isEqualTo(403);
        }
    }

    @Test
    void routesHaveConditions() throws InterruptedException {
        String conditions = "routes=[{upstream: app, token: off, rewrite: /all},"
                + " {upstream: app, token: off, rewrite: /post, match: {methods: [POST]}},"
                + " {upstream: app, token: off, rewrite: /header, match: {headers: {X-Canary: '1'}}},"
                + " {upstream: app, token: off, rewrite: /query, match: {query: {v: '2'}}},"
                + " {upstream: app, token: required, rewrite: /cookie, match: {cookies: {beta: '*'}}}]";
        try (MemorySite site = MemorySite.with(conditions, Site.issuer());
                RawClient client = site.client()) {
            site.get("/");
            assertThat(last(site).line()).isEqualTo("GET /all/ HTTP/1.1");
            assertThat(site.line()).contains("\"route\":\"*/\"");
            client.send(Site.request("POST", "/", "Content-Length: 0")).read();
            assertThat(last(site).line()).isEqualTo("POST /post/ HTTP/1.1");
            assertThat(site.line()).contains("\"route\":\"*/ [POST]\"");
            site.get("/", "X-Canary: 1");
            assertThat(last(site).line()).isEqualTo("GET /header/ HTTP/1.1");
            site.get("/?v=2");
            assertThat(last(site).line()).isEqualTo("GET /query/?v=2 HTTP/1.1");
            assertThat(site.get("/", "Cookie: beta=x").status()).isEqualTo(401);
            assertThat(site.get("/?v=1", "Cookie: beta=x").status()).isEqualTo(401);
            assertThat(site.get("/", "Cookie: a=b").status()).isEqualTo(200);
        }
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
    void pagesOfRefusalsMayNameTheirCause() throws IOException {
        Files.writeString(folder.resolve("page.html"), "<style>p{margin:0}</style>{status} {code}: {detail} ({request-id})");
        String page = route("deny: [203.0.113.7], error-pages: {403: page.html}");
        try (MemorySite site = MemorySite.in(folder, page);
                RawClient client = site.connect("203.0.113.7")) {
            RawClient.Response refused = client.send(Site.request("GET", "/", "Accept: text/html"))
                    .read();
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
    void aReloadReadsAddressFilesAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("blocked.txt"), "203.0.113.7 # a scraper\n");
        String[] settings = {
            route("deny: [\"@blocked.txt\"]"),
            "listeners.web.deny=[\"@listed.txt\"]",
            "listeners.web.trusted-proxies=[192.0.2.1]"
        };
        Path listed = Files.writeString(folder.resolve("listed.txt"), "; none\n");
        try (MemorySite site = MemorySite.in(folder, settings)) {
            assertThat(status(site, "203.0.113.7", "/")).isEqualTo(403);
            assertThat(status(site, "203.0.113.8", "/")).isEqualTo(200);
            Files.writeString(file, "203.0.113.8\n");
            assertThat(status(site, "203.0.113.7", "/")).as("before the reload").isEqualTo(403);
            site.apply(settings);
            assertThat(status(site, "203.0.113.7", "/")).isEqualTo(200);
            assertThat(status(site, "203.0.113.8", "/")).isEqualTo(403);
            Files.writeString(listed, "203.0.113.7\n");
            site.apply(settings);
            assertThat(status(site, "192.0.2.1", "/", "X-Forwarded-For: 203.0.113.7"))
                    .isEqualTo(403);
            Files.writeString(file, "203.0.113.0/24\nx\n");
            assertThat(site.reload(settings).problems())
                    .singleElement()
                    .asString()
                    .endsWith("routes.0.deny.0: " + file + ":2: x (expected: an address range such as 10.0.0.0/8 or"
                            + " fd00::/8)");
            assertThat(status(site, "203.0.113.9", "/"))
                    .as("the lists of before")
                    .isEqualTo(200);
        }
    }

    @Test
    void responsesGetAndLoseFields() {
        String headers =
                "headers: {response: {set: {Strict-Transport-Security: max-age=1, Server: none, X-Path: \"{path}\"},"
                        + " add: {Link: </a>}, remove: [X-Powered-By]}}";
        try (MemorySite site = MemorySite.with(route(headers + ", rewrite: /below"))) {
            site.origin.behave(
                    TestOrigin.Behaviour.raw(
                            "HTTP/1.1 404 Not Found\r\nServer: x\r\nServer: y\r\nX-Powered-By: z\r\nLink: </b>\r\nContent-Length: 0\r\n\r\n"));
            RawClient.Response response = site.get("/page?q");
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.field("Strict-Transport-Security")).isEqualTo("max-age=1");
            assertThat(response.field("X-Path")).isEqualTo("/page");
            assertThat(response.head().toLowerCase(Locale.ROOT))
                    .contains("\r\nserver: none\r\n", "\r\nlink: </a>\r\n", "\r\nlink: </b>\r\n")
                    .doesNotContain("server: x", "server: y", "x-powered-by");
        }
    }

    @Test
    void refusalsGetConfiguredFieldsExceptTheirOwn() {
        String headers =
                "headers: {response: {set: {X-Frame-Options: DENY, Cache-Control: public, WWW-Authenticate: Basic},"
                        + " add: {Content-Type: text/plain, Link: </a>}, remove: [WWW-Authenticate, Cache-Control]}}";
        try (MemorySite site =
                MemorySite.with("routes=[{upstream: app, token: required, " + headers + "}]", Site.issuer())) {
            RawClient.Response refused = site.get("/");
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.field("X-Frame-Options")).isEqualTo("DENY");
            assertThat(refused.field("Link")).isEqualTo("</a>");
            assertThat(refused.field("WWW-Authenticate")).startsWith("PrivateToken ");
            assertThat(refused.head().toLowerCase(Locale.ROOT))
                    .contains("cache-control: no-store")
                    .doesNotContain("public", "basic", "text/plain");
            assertThat(site.get("/", "Authorization: " + Site.MINT.response(refused.field("WWW-Authenticate")))
                            .field("Cache-Control"))
                    .isEqualTo("public");
        }
    }

    @Test
    void sessionResponsesAreNeverCacheable() {
        String headers = "headers: {response: {set: {Cache-Control: public, Set-Cookie: a=b}}}";
        try (MemorySite site =
                MemorySite.with("routes=[{upstream: app, token: session, " + headers + "}]", Site.issuer())) {
            RawClient.Response opened = site.get("/", "Authorization: " + site.token());
            assertThat(opened.head().toLowerCase(Locale.ROOT)).contains("cache-control: no-store", "postern-session=");
        }
    }

    @Test
    void pathsAreRewritten() throws InterruptedException {
        try (MemorySite site = MemorySite.with(route("path: /api, rewrite: /v1"))) {
            site.get("/api/x?y=/api");
            assertThat(last(site).line()).isEqualTo("GET /v1/x?y=/api HTTP/1.1");
            assertThat(site.get("/apix").status()).isEqualTo(404);
            assertThat(site.line()).contains("\"path\":\"/api/x\"");
        }
        try (MemorySite site = MemorySite.with(route("rewrite: \"^/user/([0-9]+)/(.*)$ -> /u/$2/$1\""))) {
            site.get("/user/7/a%2Fb?c");
            assertThat(last(site).line()).isEqualTo("GET /u/a%2Fb/7?c HTTP/1.1");
            site.get("/user/x");
            assertThat(last(site).line()).isEqualTo("GET /user/x HTTP/1.1");
        }
    }

    @Test
    void rewrittenPathsAreCheckedAnew() {
        try (MemorySite site = MemorySite.with(route("rewrite: \"/x/(.*) -> /inside/%2e%2$1\""))) {
            assertThat(site.get("/x/E/secret").status()).isEqualTo(200);
            assertThat(last(site).line()).as("no dots are left").isEqualTo("GET /secret HTTP/1.1");
            assertThat(site.get("/x/z").status()).as("a broken escape").isEqualTo(404);
            assertThat(site.get("/x/E/../../..").status()).isEqualTo(400);
        }
        try (MemorySite site = MemorySite.with(route("rewrite: \"/x/(.*) -> /%2$1\""))) {
            assertThat(site.get("/x/E./secret").status()).as("above the root").isEqualTo(404);
            assertThat(site.origin.received()).isEmpty();
        }
    }

    @Test
    void upstreamsGetThePathAsSentOrInItsNormalForm() {
        String target = "/bucket/a/../dir//%7efile?q=//x";
        try (MemorySite site = MemorySite.with(route("path: /bucket"))) {
            site.get(target);
            assertThat(last(site).line()).isEqualTo("GET " + target + " HTTP/1.1");
        }
        try (MemorySite site = MemorySite.with(route("path: /bucket, path-form: normal"))) {
            site.get(target);
            assertThat(last(site).line()).isEqualTo("GET /bucket/dir/~file?q=//x HTTP/1.1");
        }
        try (MemorySite site = MemorySite.with(route("path: /bucket, path-form: as-sent, rewrite: /b"))) {
            site.get(target);
            assertThat(last(site).line()).isEqualTo("GET /b/dir/~file?q=//x HTTP/1.1");
        }
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

    @Test
    void upgradesToAllowedProtocolsOnly() {
        assertThat(upgraded(route("timeout: 0"), "websocket")).isEqualTo(101);
        assertThat(upgraded(route("timeout: 0"), "echo/1")).isEqualTo(502);
        assertThat(upgraded(route("upgrade: {protocols: [echo/1]}"), "echo/1")).isEqualTo(101);
        assertThat(upgraded(route("upgrade: {protocols: []}"), "websocket")).isEqualTo(502);
    }

    /** Returns the status of an upgrade; the origin agrees even to protocols that it did not receive. */
    private static int upgraded(String route, String protocol) {
        try (MemorySite site = MemorySite.with(route);
                RawClient client = site.client()) {
            agree(site, protocol);
            return client.send(UPGRADE.formatted(protocol)).read().status();
        }
    }

    private static void agree(MemorySite site, String protocol) {
        site.origin.behave(TestOrigin.Behaviour.raw(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: " + protocol + "\r\n\r\n"));
    }

    @Test
    void upgradedConnectionsEndAfterIdleTimeAndLifetime() {
        for (String end : new String[] {"idle: 100ms", "max-lifetime: 100ms"}) {
            try (MemorySite site = MemorySite.with(route("upgrade: {" + end + "}"));
                    RawClient client = site.client()) {
                agree(site, "websocket");
                assertThat(client.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
                site.pass(Duration.ofMillis(99));
                assertThat(client.patience(Duration.ZERO).closedByPeer())
                        .as(end)
                        .isFalse();
                site.pass(Duration.ofMillis(1));
                assertThat(client.closedByPeer()).as(end).isTrue();
            }
        }
    }

    @Test
    void upgradesOfAClientAreLimited() {
        try (MemorySite site = MemorySite.with(route("upgrade: {per-client: 1}"))) {
            agree(site, "websocket");
            try (RawClient one = site.client();
                    RawClient two = site.client()) {
                assertThat(one.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
                RawClient.Response refused =
                        two.send(UPGRADE.formatted("websocket")).read();
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.body()).contains("\"code\":\"tunnels-full\"");
            }
            try (RawClient next = site.client()) {
                assertThat(next.send(UPGRADE.formatted("websocket")).read().status())
                        .isEqualTo(101);
            }
        }
    }

    @Test
    void upgradedConnectionsAreCountedAsTunnels() {
        try (MemorySite site = MemorySite.with();
                RawClient client = site.client()) {
            agree(site, "websocket");
            client.send(UPGRADE.formatted("websocket")).read();
            assertThat(site.metrics()).contains("postern_tunnels{kind=\"upgrade\"} 1.0");
            client.reset();
            assertThat(site.metrics()).contains("postern_tunnels{kind=\"upgrade\"} 0.0");
        }
    }
}
