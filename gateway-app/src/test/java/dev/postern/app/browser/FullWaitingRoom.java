package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** Gateway in front of a shop with capacity for one client at a time; another client has the only slot. */
final class FullWaitingRoom implements AutoCloseable {

    /** Title of the shop's pages. */
    static final String SHOP = "The shop";

    /** Path of a page, also below /form, that asks browsers to prefetch /bread and to prerender /cake. */
    static final String AHEAD = "/ahead";

    private static final String FORM = "/form";

    private static final String TOKEN = "0123456789abcdef";

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno, trusted-proxies: [127.0.0.0/8]}
            %s
            admin: {address: "127.0.0.1:0", token-file: "%s"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            overload: {loop-lag: {shed-above: 0}}
            log: {level: warn}
            privacy-pass: {origin-names: [gateway.example]}
            rate-limits:
              - name: site
                rate: 1/h
                burst: 0
                per: route
                %s
                fair-queue: {active-sessions: 1, bypass: [/form], %s}
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["%s"]}
            routes:
              - {upstream: app, token: off, rate-limit: site}
            """;

    private final TestOrigin origin = new TestOrigin();
    private final Path token = token();
    private final Gateway gateway;
    private final RoomClient inside;

    FullWaitingRoom() {
        this("absence: 5m"); // a browser without JavaScript is not considered absent
    }

    /** @param queue further keys of the fair queue */
    FullWaitingRoom(String queue) {
        this(queue, "", Path.of(""));
    }

    /**
     * @param listener another listener, named tls, or an empty text
     * @param base folder of relative file names
     */
    FullWaitingRoom(String queue, String listener, Path base) {
        this("", "idle: 1s, " + queue, listener, base);
    }

    private FullWaitingRoom(String limit, String queue, String more, Path base) {
        origin.behave((request, socket) -> shop(request.line()).response(request, socket));
        LoadedConfig config = new ConfigReader(Map.of(), List.of())
                .read("gateway.yaml", YAML.formatted(more, token, limit, queue, origin.address()), base);
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
        Awaitility.await().until(() -> admin("GET /readyz", "").status() == 200);
        RoomClient first = come();
        Awaitility.await("the free request of the hour").until(first::enter);
        first.leave();
        inside = come();
        Awaitility.await().until(inside::enter); // a young store admits no client at once
    }

    /**
     * Returns a room whose places a Redis keeps, and whose only slot is taken for minutes, also while the Redis is silent.
     *
     * @param queue further keys of the fair queue
     */
    static FullWaitingRoom stored(String redis, String queue) {
        String server = "redis: {uri: \"redis://" + redis + "\", deadline: 2s}";
        return new FullWaitingRoom("store: redis", "idle: 5m, " + queue, server, Path.of(""));
    }

    private static Path token() {
        try {
            return Files.writeString(Files.createTempFile("token", ""), TOKEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the room as an operator does, for example its opening. */
    void control(String json) {
        Awaitility.await().until(() -> admin("PATCH /rooms/site", json).status() == 200);
    }

    private RawClient.Response admin(String line, String body) {
        try (RawClient client = new RawClient(gateway.admin().getPort())) {
            return client.send(line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN
                            + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .read();
        }
    }

    private static Behaviour shop(String line) {
        if (line.contains(RoomClient.STAY)) {
            return Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
        }
        String body = line.contains(AHEAD)
                ? "<link rel=prefetch href=/bread><script type=speculationrules>{\"prerender\":[{\"urls\":[\"/cake\"],"
                        + "\"eagerness\":\"immediate\"}]}</script><a id=next href=/cake>Cake</a>"
                : line.startsWith("GET " + FORM)
                        ? "<form method=post action=/order><button id=order name=bread value=1>Order</button></form>"
                        : "<h1>Welcome</h1>";
        String page = "<!doctype html><html lang=en><title>" + SHOP + "</title>" + body;
        return Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
                + page.getBytes(UTF_8).length + "\r\n\r\n" + page);
    }

    /** Adds another client. */
    RoomClient come() {
        return new RoomClient(gateway.listener("web").getPort());
    }

    /** Returns the client that has the only slot. */
    RoomClient inside() {
        return inside;
    }

    int tlsPort() {
        return gateway.listener("tls").getPort();
    }

    int port() {
        return gateway.listener("web").getPort();
    }

    /** Returns the number of places that are taken in the queue. */
    int places() {
        return admin("GET /metrics", "")
                .body()
                .lines()
                .filter(line -> line.startsWith("postern_room_waiting{"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Returns the request lines that the shop received. */
    List<String> received() {
        return origin.received().stream().map(TestOrigin.Received::line).toList();
    }

    String url(String path) {
        return "http://127.0.0.1:" + gateway.listener("web").getPort() + path;
    }

    /** A page with a form, which needs no pass; submitting it leads to the waiting room. */
    String form() {
        return url(FORM);
    }

    /** Returns the size of the page in bytes. */
    int weight() {
        try (RawClient client = new RawClient(gateway.listener("web").getPort())) {
            return client.send("GET / HTTP/1.1\r\nHost: shop.example\r\nAccept: text/html\r\n\r\n")
                    .read()
                    .body()
                    .getBytes(UTF_8)
                    .length;
        }
    }

    @Override
    public void close() {
        inside.leave();
        gateway.close();
        origin.close();
        try {
            Files.delete(token);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
