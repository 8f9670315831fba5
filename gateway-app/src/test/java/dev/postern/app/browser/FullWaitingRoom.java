package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Gateway in front of a shop with capacity for one client at a time; another client has the only slot. */
final class FullWaitingRoom implements AutoCloseable {

    /** Title of the shop's pages. */
    static final String SHOP = "The shop";

    private static final String FORM = "/form";

    // Long absences, so that a browser without JavaScript is not considered absent.
    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            overload: {loop-lag: {shed-above: 0}}
            log: {level: warn}
            privacy-pass: {origin-names: [gateway.example]}
            rate-limits:
              - name: site
                rate: 1/h
                burst: 0
                per: route
                fair-queue: {active-sessions: 1, idle: 1s, absence: 5m, bypass: [/form]}
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["%s"]}
            routes:
              - {upstream: app, token: off, rate-limit: site}
            """;

    private final TestOrigin origin = new TestOrigin();
    private final Gateway gateway;
    private final RoomClient inside;

    FullWaitingRoom() {
        origin.behave((request, socket) -> shop(request.line()).response(request, socket));
        LoadedConfig config = new ConfigReader(Map.of(), List.of())
                .read("gateway.yaml", YAML.formatted(origin.address()), Path.of(""));
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
        RoomClient first = come();
        assertThat(first.enter()).as("the free request of the hour").isTrue();
        first.leave();
        inside = come();
        assertThat(inside.enter()).isTrue();
    }

    private static Behaviour shop(String line) {
        if (line.contains(RoomClient.STAY)) {
            return Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
        }
        String body = line.startsWith("GET " + FORM)
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

    int port() {
        return gateway.listener("web").getPort();
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
    }
}
