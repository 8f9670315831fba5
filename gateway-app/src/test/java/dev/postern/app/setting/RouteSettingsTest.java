package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which requests a route serves, and under which path. */
class RouteSettingsTest {

    @TempDir
    private Path folder;

    private static String route(String keys) {
        return "routes=[{upstream: app, token: off, " + keys + "}]";
    }

    private static TestOrigin.Received last(MemorySite site) {
        return site.origin.received().get(site.origin.received().size() - 1);
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
}
