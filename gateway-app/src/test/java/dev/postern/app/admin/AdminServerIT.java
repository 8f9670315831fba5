package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.transport.Transport;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerIT {

    private final AtomicBoolean live = new AtomicBoolean(true);
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicReference<String> shedding = new AtomicReference<>("");
    private final AtomicBoolean healthy = new AtomicBoolean(true);
    private @Nullable AdminToken token;
    private AdminServer server = server(Set.of());

    private AdminServer server(Set<String> required) {
        return server(required, new InetSocketAddress("127.0.0.1", 0));
    }

    private AdminServer server(InetSocketAddress address) {
        return server(Set.of(), address);
    }

    private AdminServer server(Set<String> required, InetSocketAddress address) {
        return new AdminServer(
                address,
                Transport.open(Transport.Kind.NIO),
                Ticker.systemTicker(),
                List.of("localhost"),
                token,
                new AdminEndpointTable(
                        probes(required),
                        Map.of(
                                "/keys", AdminEndpoint.document(() -> List.of("one")),
                                "/asked", AdminServerIT::asked,
                                "/broken", AdminServerIT::broken,
                                "/stream", AdminServerIT::stream),
                        Map.of(
                                "DELETE /keys",
                                (words, body) -> new AdminEndpointTable.Changed(200, List.of(words, body)))));
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
                "accept=%s seconds=%s event=%s foreign=%s"
                        .formatted(
                                exchange.field("Accept"),
                                exchange.parameter("seconds", "10"),
                                exchange.parameter("event", "cpu"),
                                exchange.foreign()));
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
                .isEqualTo("accept=text/html seconds=5 event=alloc foreign=false");
        assertThat(get("/asked", "Sec-Fetch-Site: cross-site\r\n").body())
                .isEqualTo("accept= seconds=10 event=cpu foreign=true");
        assertThat(get("/asked", "Sec-Fetch-Site: none\r\n").body()).endsWith("foreign=false");
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
    @ValueSource(strings = {"POST /livez", "CONNECT localhost:9180", "OPTIONS *"})
    void probesAreReadOnly(String line) {
        try (ProbeServer probes = new ProbeServer(
                        new InetSocketAddress("127.0.0.1", 0), Transport.open(Transport.Kind.NIO), probes(Set.of()));
                RawClient client = new RawClient(probes.address().getPort())) {
            RawClient.Response refused =
                    client.send(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n").read();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo("GET, HEAD");
        }
    }

    /** Sends every method with every form of target, with the token, so that requests reach the changes. */
    @Test
    void hasNoInternalErrorForAnyMethodAndTarget() throws IOException {
        server.close();
        token = AdminToken.read(Files.writeString(folder.resolve("token"), "0123456789abcdef"));
        server = server(Set.of());
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
            assertThat(log.lines()).isNotEmpty().hasSizeLessThan(100);
        }
    }

    @Test
    void requiresTheTokenForChanges() throws IOException {
        server.close();
        token = AdminToken.read(Files.writeString(folder.resolve("token"), " 0123456789abcdef \n"));
        server = server(Set.of());
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

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "0123456789 abcdef", "0123456789abcde\u00e9"})
    void refusesInvalidTokens(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AdminToken.read(file))
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
