package dev.postern.app.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a browser that visits seven rooms of one host, each with two slots. */
@Tag("browser")
class SeveralRoomsIT {

    private static final int ROOMS = 7;

    private final TestOrigin origin = new TestOrigin();
    private Gateway gateway = start();

    private Gateway start() {
        String page = "<!doctype html><html lang=en><title>shop</title><p id=hello>hello</p>";
        origin.behave(TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
                + page.getBytes(UTF_8).length + "\r\n\r\n" + page));
        StringBuilder limits = new StringBuilder();
        StringBuilder routes = new StringBuilder();
        for (int i = 0; i < ROOMS; i++) {
            limits.append(
                    "  - {name: room" + i + ", rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 2}}\n");
            routes.append("  - {path: /" + i + ", upstream: app, token: off, rate-limit: room" + i + "}\n");
        }
        String yaml = """
                listeners:
                  - {name: web, address: "127.0.0.1:0", congestion-control: reno}
                admin: {address: "127.0.0.1:0"}
                lifecycle: {drain-delay: 0s, drain-timeout: 1s}
                overload: {loop-lag: {shed-above: 0}}
                log: {level: warn}
                upstreams:
                  - {name: app, congestion-control: reno, endpoints: ["%s"]}
                rate-limits:
                %sroutes:
                %s""".formatted(origin.address(), limits, routes);
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml, Path.of(""));
        assertThat(config.problems()).isEmpty();
        return Gateway.start(config, UnaryOperator.identity(), line -> {});
    }

    @BeforeEach
    void useBaseRates() {
        for (int i = 0; i < ROOMS; i++) {
            assertThat(get("/" + i).status()).isEqualTo(200);
        }
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private int port() {
        return gateway.listener("web").getPort();
    }

    private RawClient.Response get(String path, String... fields) {
        try (RawClient client = new RawClient(port())) {
            StringBuilder request =
                    new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port() + "\r\n");
            List.of(fields).forEach(field -> request.append(field).append("\r\n"));
            return client.send(request.append("\r\n").toString()).read();
        }
    }

    @Test
    void oneBrowserHoldsOneSlotInEachRoomHoweverOftenItWalksRound() {
        try (Browser browser = Browser.withScript()) {
            for (int lap = 0; lap < 3; lap++) {
                for (int i = 0; i < ROOMS; i++) {
                    browser.open("http://127.0.0.1:" + port() + "/" + i);
                    assertThat(browser.text("hello"))
                            .as("lap %d, room %d", lap, i)
                            .isEqualTo("hello");
                }
            }
            for (int i = 0; i < ROOMS; i++) {
                assertThat(get("/" + i).status())
                        .as("another visitor in room %d", i)
                        .isEqualTo(200);
            }
        }
        assertThat(origin.received()).noneMatch(request -> request.head().contains("postern-ticket"));
    }

    @Test
    void cookiesArriveAsFieldsOfOnePairEach() {
        List<String> fields = new ArrayList<>(List.of("cookie", "a=1"));
        for (int i = 0; i < ROOMS; i++) {
            String pair = get("/" + i).field("Set-Cookie").split(";", 2)[0];
            fields.addAll(List.of("cookie", pair));
        }
        fields.addAll(List.of("cookie", "postern-ticket-unknown=1", "cookie", "__Host-postern-ticket-AAAAAAAA=2"));
        try (FrameClient client = FrameClient.connect(port())) {
            for (int i = 0; i < ROOMS; i++) {
                String status = client.get(1 + 2 * i, "/" + i, fields.toArray(String[]::new))
                        .response(1 + 2 * i)
                        .status();
                assertThat(status).as("room %d", i).isEqualTo("200");
            }
        }
        for (int i = 0; i < ROOMS; i++) {
            assertThat(get("/" + i).status()).as("the other slot of room %d", i).isEqualTo(200);
        }
        assertThat(origin.received()).noneMatch(request -> request.head().contains("postern-ticket"));
        assertThat(origin.received())
                .anyMatch(request -> request.field("Cookie").equals("a=1"));
    }
}
