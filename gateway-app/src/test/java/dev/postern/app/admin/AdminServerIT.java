package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which requests the admin address serves, and which it refuses whatever their token. */
class AdminServerIT extends AdminServerFixture {

    @Test
    void servesDocumentsAndAnIndex() {
        assertThat(get("/keys").body()).contains("one");
        assertThat(get("/nothing").status()).isEqualTo(404);
        assertThat(get("/nothing").body()).contains("/keys").contains("/livez");
        try (RawClient client = new RawClient(server.address().getPort())) {
            String head = client.send("HEAD /keys HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .rest();
            assertThat(head)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("content-length: 10\r\n")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void passesTheRequestToPages() {
        assertThat(get("/asked?seconds=5&seconds=6&event=a%6cloc", "Accept: text/html\r\n")
                        .body())
                .isEqualTo("accept=text/html seconds=5 event=alloc");
        assertThat(get("/asked").body()).isEqualTo("accept= seconds=10 event=cpu");
    }

    @Test
    void pagesMayStream() {
        assertThat(get("/stream").body()).isEqualTo("data: 1\n\ndata: 2\n\n");
        assertThat(get("/stream").field("Content-Type")).isEqualTo("text/event-stream");
    }

    @Test
    void isReadOnlyAndRefusesOtherHosts() {
        assertThat(ask("POST", "/keys", "Host: 127.0.0.1\r\nContent-Length: 0\r\n")
                        .status())
                .isEqualTo(405);
        assertThat(ask("GET", "/keys", "Host: evil.example\r\n").status()).isEqualTo(421);
        assertThat(ask("GET", "/keys", "Host: localhost:9180\r\n").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:9180",
                "localhost:9180",
                "example.com:443",
                "[::1]:443",
                "10.0.0.1:1",
            })
    void isNoProxy(String target) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            for (String host : List.of(target, "127.0.0.1", "evil.example", "")) {
                RawClient.Response refused = client.send(
                                "CONNECT " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                        .read();
                assertThat(refused.status()).as(host).isEqualTo(405);
                assertThat(refused.field("Allow")).isEqualTo("GET, HEAD");
            }
            assertThat(client.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    /** Origin and Fetch Metadata each suffice: browsers send the latter over TLS and to loopback only. */
    @ParameterizedTest
    @CsvSource({
        "POST, Origin: http://127.0.0.1, 200",
        "POST, Origin: http://127.0.0.1:1, 403",
        "POST, Origin: http://site.example, 403",
        "POST, Origin: null, 403",
        "POST, Sec-Fetch-Site: cross-site, 403",
        "POST, Sec-Fetch-Site: same-site, 403",
        "POST, Sec-Fetch-Site: same-origin, 200",
        "POST, Sec-Fetch-Site: none, 200",
        "GET, Origin: http://site.example, 403",
        "GET, Sec-Fetch-Site: cross-site, 200"
    })
    void refusesPagesOfOtherSites(String method, String field, int status) {
        String path = method.equals("GET") ? "/keys" : "/profile";
        assertThat(ask(method, path, "Host: 127.0.0.1\r\n" + field + "\r\n").status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "DELETE"})
    void startsWorkByPostOnly(String method) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            String refused = client.send(method + " /profile HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    .rest();
            assertThat(refused).startsWith("HTTP/1.1 405 ").containsIgnoringCase("allow: post\r\n");
        }
        assertThat(ask("POST", "/profile", "Host: 127.0.0.1\r\n").body()).isEqualTo("taken");
    }

    @Test
    void showsPagesToBrowsersOnly() {
        RawClient.Response page = get("/keys", "Accept: text/html,*/*;q=0.8\r\n");
        assertThat(page.body()).isEqualTo("page of keys");
        assertThat(page.field("Vary")).isEqualTo("Accept");
        for (String accept : List.of("*/*", "application/json")) {
            RawClient.Response document = get("/keys", "Accept: " + accept + "\r\n");
            assertThat(document.body()).contains("one");
            assertThat(document.field("Vary")).isEqualTo("Accept");
        }
    }

    /** Sends every method with every form of target, with the token, so that requests reach the changes. */
    @Test
    void hasNoInternalErrorForAnyMethodAndTarget() throws IOException {
        restart(token("token", AdminToken.Rights.CHANGE, "0123456789abcdef"));
        String fields = "Host: 127.0.0.1\r\nAuthorization: Bearer 0123456789abcdef\r\nConnection: close\r\n";
        for (String method : List.of(
                "GET",
                "HEAD",
                "POST",
                "PUT",
                "PATCH",
                "DELETE",
                "OPTIONS",
                "TRACE",
                "CONNECT",
                "PRI",
                "PROPFIND",
                "x",
                "DELETE ",
                "get")) {
            for (String target : List.of(
                    "/",
                    "//",
                    "/%2F",
                    "/%2f%2F/",
                    "/;",
                    "/.",
                    "/..",
                    "/keys",
                    "/keys/",
                    "/keys//",
                    "/keys/%2F",
                    "/%00",
                    "/%0d%0a",
                    "/%zz",
                    "/?a=%zz",
                    "/?a=%",
                    "/?&=&",
                    "*",
                    "**",
                    "?",
                    "",
                    "127.0.0.1:1",
                    "h:443",
                    "h",
                    ":443",
                    "[::1]:1",
                    "http://127.0.0.1",
                    "http://127.0.0.1/",
                    "http://127.0.0.1/keys/a",
                    "http://127.0.0.1/%2F",
                    "https://127.0.0.1?x",
                    "http://other.example/keys",
                    "http:///",
                    "ftp://h/")) {
                try (RawClient client = new RawClient(server.address().getPort())) {
                    String head = client.send(method + " " + target + " HTTP/1.1\r\n" + fields + "\r\n")
                            .rest();
                    assertThat(head)
                            .as("%s %s", method, target)
                            .matches("(?s)HTTP/1\\.1 (2|400|401|404|405|413|417|421|501|505).*");
                }
            }
        }
    }

    @Test
    void limitsTheRateOfLogLines() {
        try (CapturedLog log = new CapturedLog(AdminServer.class)) {
            for (int i = 0; i < 100; i++) {
                assertThat(get("/broken").status()).isEqualTo(500);
            }
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void namesTheAddressThatIsInUse() {
        assertThatThrownBy(() -> server(server.address()))
                .hasMessageContaining("admin.address")
                .hasMessageContaining("expected");
    }

    /** Repeated, since a socket stays open only in some interleavings. */
    @Test
    void stopsListeningOnClose() {
        server.close();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", ServerProcess.freePort());
        for (int i = 0; i < 20; i++) {
            server = server(address);
            try (RawClient served = new RawClient(address.getPort());
                    RawClient half = new RawClient(address.getPort())) {
                served.send("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").read();
                half.send("GET /livez");
                server.close();
            }
        }
    }
}
