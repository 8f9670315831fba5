package dev.postern.app.admin;

import dev.postern.core.testing.RawClient;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens an admin server with a few paths, and sends it requests. */
abstract class AdminServerFixture {

    final AtomicBoolean live = new AtomicBoolean(true);
    final AtomicBoolean draining = new AtomicBoolean();
    final AtomicReference<String> shedding = new AtomicReference<>("");
    final AtomicBoolean healthy = new AtomicBoolean(true);
    final MockTicker ticker = Ticker.newMockTicker();
    List<AdminToken> tokens = List.of();
    AdminServer server = server(Set.of());

    AdminServer server(Set<String> required) {
        return server(required, new InetSocketAddress("127.0.0.1", 0));
    }

    AdminServer server(InetSocketAddress address) {
        return server(Set.of(), address);
    }

    AdminServer server(Set<String> required, InetSocketAddress address) {
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
                                "/asked", AdminServerFixture::asked,
                                "/broken", AdminServerFixture::broken,
                                "/stream", AdminServerFixture::stream),
                        Map.of("/profile", exchange -> exchange.send(200, "text/plain", "taken")),
                        Map.of(
                                "DELETE /keys",
                                (words, body) -> new AdminEndpointTable.Changed(200, List.of(words, body)))));
    }

    /** Replaces the server by one with these tokens. */
    void restart(AdminToken... all) {
        server.close();
        tokens = List.of(all);
        server = server(Set.of());
    }

    AdminToken token(String name, AdminToken.Rights rights, String text) throws IOException {
        return AdminToken.read(name, rights, Files.writeString(folder.resolve(name), text));
    }

    Probes probes(Set<String> required) {
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
    Path folder;

    @AfterEach
    void close() {
        server.close();
    }

    RawClient.Response get(String path, String... fields) {
        return ask("GET", path, "Host: 127.0.0.1\r\n" + String.join("", fields));
    }

    RawClient.Response ask(String method, String path, String fields) {
        try (RawClient client = new RawClient(server.address().getPort())) {
            return client.send(method + " " + path + " HTTP/1.1\r\n" + fields + "\r\n")
                    .read();
        }
    }
}
