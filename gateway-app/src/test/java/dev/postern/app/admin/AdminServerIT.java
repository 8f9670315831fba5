package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.transport.Transport;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerIT {

    private final AtomicBoolean live = new AtomicBoolean(true);
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicReference<String> shedding = new AtomicReference<>("");
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private final MockTicker ticker = Ticker.newMockTicker();
    private List<AdminToken> tokens = List.of();
    private AdminServer server = server(Set.of());

    private AdminServer server(Set<String> required) {
        return server(required, new InetSocketAddress("127.0.0.1", 0));
    }

    private AdminServer server(InetSocketAddress address) {
        return server(Set.of(), address);
    }

    private AdminServer server(Set<String> required, InetSocketAddress address) {
        return new AdminServer(
                new AdminServer.Settings(address, List.of("localhost"), null),
                Transport.open(Transport.Kind.NIO),
                ticker,
                new AdminAccess(tokens, ticker),
                new AdminEndpointTable(
                        probes(required),
                        Map.of("/keys", exchange -> exchange.send(200, "text/html", "page of keys")),
                        Map.of(
                                "/keys", AdminEndpoint.document(() -> List.of("one")),
                                "/asked", AdminServerIT::asked,
                                "/broken", AdminServerIT::broken,
                                "/stream", AdminServerIT::stream),
                        Map.of("/profile", exchange -> exchange.send(200, "text/plain", "taken")),
                        Map.of(
                                "DELETE /keys",
                                (words, body) -> new AdminEndpointTable.Changed(200, List.of(words, body)))));
    }

    /** Replaces the server by one with these tokens. */
    private void restart(AdminToken... all) {
        server.close();
        tokens = List.of(all);
        server = server(Set.of());
    }

    private AdminToken token(String name, AdminToken.Rights rights, String text) throws IOException {
        return AdminToken.read(name, rights, Files.writeString(folder.resolve(name), text));
    }

    private Probes probes(Set<String> required) {
        return new Probes(
                () -> CompletableFuture.completedFuture(live.get()),
                () -> true,
                draining::get,
                () -> Objects.requireNonNullElse(shedding.get(), ""),
                Map.of("ledger", () -> new HealthSource(healthy.get(), Map.of("store", "embedded"))),
                required);
    }

    private static void asked(AdminExchange exchange) throws IOException {
        exchange.send(
                200,
                "text/plain",
                "accept=%s seconds=%s event=%s"
                        .formatted(
                                exchange.field("Accept"),
                                exchange.parameter("seconds", "10"),
                                exchange.parameter("event", "cpu")));
    }

    private static void broken(AdminExchange exchange) {
        throw new IllegalStateException("broken");
    }

    private static void stream(AdminExchange exchange) throws IOException {
        try (OutputStream out = exchange.stream(200, "text/event-stream")) {
            out.write("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            out.write("data: 2\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient.Response get(String path, String... fields) {
        return ask("GET", path, "Host: 127.0.0.1\r\n" + String.join("", fields));
    }

    private RawClient.Response ask(String method, String path, String fields) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            return client.send(method + " " + path + " HTTP/1.1\r\n" + fields + "\r\n")
                    .read();
        }
    }

    @Test
    void reportsWhetherEventLoopsRun() {
        assertThat(get("/livez").status()).isEqualTo(200);
        live.set(false);
        assertThat(get("/livez").status()).isEqualTo(503);
    }

    @Test
    void staysReadyDuringAStoreOutageUnlessConfigured() {
        healthy.set(false);
        assertThat(get("/readyz").status()).isEqualTo(200);
        assertThat(get("/readyz").body()).contains("\"healthy\" : false");
        server.close();
        server = server(Set.of("ledger"));
        assertThat(get("/readyz").status()).isEqualTo(503);
    }

    @Test
    void isNotReadyWhileDraining() {
        draining.set(true);
        assertThat(get("/readyz").status()).isEqualTo(503);
        assertThat(get("/livez").status()).isEqualTo(200);
    }

    @Test
    void isNotReadyWhileLoadIsShed() {
        shedding.set("heap");
        assertThat(get("/readyz").status()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("\"shedding\" : \"heap\"");
        assertThat(get("/livez").status()).isEqualTo(200);
    }

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

    @ParameterizedTest
    @ValueSource(strings = {"POST /livez", "CONNECT localhost:9180", "DELETE /readyz"})
    void probesAreReadOnly(String line) {
        try (ProbeServer probes = new ProbeServer(
                        new InetSocketAddress("127.0.0.1", 0), Transport.open(Transport.Kind.NIO), probes(Set.of()));
                RawClient client = new RawClient(probes.address().getPort())) {
            RawClient.Response refused =
                    client.send(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        }
    }

    /** The checks of HAProxy's {@code option httpchk}, with and without a URI: HTTP/1.0 without Host. */
    @ParameterizedTest
    @ValueSource(strings = {"OPTIONS / HTTP/1.0", "GET /readyz HTTP/1.0", "OPTIONS / HTTP/1.1\r\nHost: localhost"})
    void probesNeedNoHost(String lines) {
        try (ProbeServer probes = new ProbeServer(
                new InetSocketAddress("127.0.0.1", 0), Transport.open(Transport.Kind.NIO), probes(Set.of()))) {
            for (int port : List.of(server.address().getPort(), probes.address().getPort())) {
                draining.set(false);
                assertThat(status(port, lines)).isEqualTo(200);
                draining.set(true);
                assertThat(status(port, lines)).isEqualTo(503);
            }
        }
    }

    private static int status(int port, String lines) {
        try (RawClient client = new RawClient(port)) {
            return client.send(lines + "\r\n\r\n").read().status();
        }
    }

    @Test
    void onlyProbesNeedNoHost() {
        for (String path : List.of("/keys", "/asked", "/")) {
            assertThat(status(server.address().getPort(), "GET " + path + " HTTP/1.0"))
                    .isEqualTo(421);
        }
        assertThat(status(server.address().getPort(), "GET /livez HTTP/1.1\r\nHost: evil.example"))
                .isEqualTo(421);
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
    void requiresTheTokenForChanges() throws IOException {
        restart(token("token", AdminToken.Rights.CHANGE, " 0123456789abcdef \n"));
        String host = "Host: localhost\r\n";

        assertThat(ask("DELETE", "/keys/a", host).status()).isEqualTo(401);
        assertThat(ask("DELETE", "/keys/a", host).field("WWW-Authenticate")).isEqualTo("Bearer");
        for (String wrong :
                List.of("Bearer 0123456789abcdeg", "Basic 0123456789abcdef", "0123456789abcdef", "Bearer")) {
            assertThat(ask("DELETE", "/keys/a", host + "Authorization: " + wrong + "\r\n")
                            .status())
                    .isEqualTo(401);
        }
        String right = host + "Authorization: bearer 0123456789abcdef\r\n";
        assertThat(ask("DELETE", "/keys/a%3Ab/c", right).body().replaceAll("\\s", ""))
                .isEqualTo("[[\"a:b\",\"c\"],\"\"]");
        assertThat(ask("DELETE", "/keys/a", right + "Content-Length: 4\r\n\r\nbody")
                        .body())
                .contains("\"body\"");
        assertThat(ask("DELETE", "/keys/a", right + "Content-Length: 65537\r\n\r\n" + "x".repeat(65_537))
                        .status())
                .isEqualTo(413);
        assertThat(ask("DELETE", "/keys/%zz", right).status()).isEqualTo(400);
        assertThat(ask("DELETE", "/rooms/a", right).status()).isEqualTo(405);
        assertThat(ask("DELETE", "/keys/a", "Host: evil.example\r\n").status()).isEqualTo(421);
        assertThat(ask("GET", "/keys", host).status())
                .as("reading requires no token")
                .isEqualTo(200);
    }

    @Test
    void changesAreLoggedWithTokenAndCaller() throws IOException {
        restart(
                token("alice", AdminToken.Rights.CHANGE, "0123456789abcdef"),
                token("bob", AdminToken.Rights.CHANGE, "fedcba9876543210"));
        try (CapturedLog log = new CapturedLog(AdminServer.class)) {
            String bob = "Host: localhost\r\nAuthorization: Bearer fedcba9876543210\r\n";
            assertThat(ask("DELETE", "/keys/a%3Ab?x=1", bob).status()).isEqualTo(200);

            assertThat(log.lines()).containsExactly("admin: DELETE /keys/a%3Ab: 200, by token bob from 127.0.0.1");
        }
    }

    /** A form can't send an Authorization field, and an address with a token would be in logs. */
    @Test
    void formsSendTheTokenInTheBody() throws IOException {
        restart(token("reader", AdminToken.Rights.READ, "0123456789abcdef"));
        String form = "access_token=0123456789abcdef";

        assertThat(ask("POST", "/profile?" + form, "Host: localhost\r\n").status())
                .isEqualTo(401);
        assertThat(ask(
                                "POST",
                                "/profile",
                                "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                                        + form.length() + "\r\n\r\n" + form)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTokenForReadingProtectsAllButProbesAndPages() throws IOException {
        restart(
                token("reader", AdminToken.Rights.READ, "0123456789abcdef"),
                token("boss", AdminToken.Rights.CHANGE, "fedcba9876543210"));
        String reader = "Host: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n";
        String boss = "Host: localhost\r\nAuthorization: Bearer fedcba9876543210\r\n";

        for (String request : List.of("GET /keys", "POST /profile")) {
            String method = request.substring(0, request.indexOf(' '));
            String path = request.substring(request.indexOf(' ') + 1);
            assertThat(ask(method, path, "Host: localhost\r\n").status()).isEqualTo(401);
            assertThat(ask(method, path, reader).status()).isEqualTo(200);
            assertThat(ask(method, path, boss).status()).isEqualTo(200);
        }
        assertThat(ask("DELETE", "/keys/a", boss).status()).isEqualTo(200);
        RawClient.Response refused = ask("DELETE", "/keys/a", reader);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("The token reader may only read");
        assertThat(get("/livez").status()).isEqualTo(200);
        assertThat(get("/keys", "Accept: text/html\r\n").body()).isEqualTo("page of keys");
    }

    @Test
    void limitsAndLogsWrongTokens() throws IOException {
        restart(token("token", AdminToken.Rights.CHANGE, "0123456789abcdef"));
        String right = "Host: localhost\r\nAuthorization: Bearer 0123456789abcdef\r\n";
        try (CapturedLog log = new CapturedLog(AdminAccess.class)) {
            for (int i = 0; i < GuessLimiter.BURST; i++) {
                assertThat(ask("DELETE", "/keys/a", right.replace("cdef", "cde" + i))
                                .status())
                        .isEqualTo(401);
            }
            RawClient.Response limited = ask("DELETE", "/keys/a", right);
            assertThat(limited.status()).isEqualTo(429);
            assertThat(limited.field("Retry-After")).isEqualTo("6");
            assertThat(log.lines()).containsExactly("admin: wrong token from 127.0.0.1 (more may follow)");
        }
        assertThat(get("/keys").status()).as("reading needs no token").isEqualTo(200);
        ticker.advance(6, TimeUnit.SECONDS);
        assertThat(ask("DELETE", "/keys/a", right).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "0123456789 abcdef", "0123456789abcde\u00e9"})
    void refusesInvalidTokens(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AdminToken.read("token", AdminToken.Rights.CHANGE, file))
                .withMessageContaining("expected: 16 or more");
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
