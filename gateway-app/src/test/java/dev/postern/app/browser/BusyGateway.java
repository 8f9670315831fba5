package dev.postern.app.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Gateway with content in every part of its live page: a token on its admin address, a ledger, a room, two upstreams, and clients. */
final class BusyGateway implements AutoCloseable {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0", token-file: token}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: error, successes: 0%%}
            overload: {loop-lag: {shed-above: 0s, resume-below: 0s}}
            privacy-pass:
              origin-names: [gateway.example]
              failure-budget: 1000000/s
              issuers: [{name: issuer.example, public-keys: ["%s"]}]
            rate-limits:
              - {name: each, rate: 100000/s, burst: 100000, per: client-address}
              - {name: tickets, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 2, idle: 1m, absence: 5m}}
            upstreams:
              - {name: shop, congestion-control: reno, endpoints: ["%s"], timeouts: {idle: 10m}}
              - {name: gone, congestion-control: reno, endpoints: ["127.0.0.1:1"]}
            routes:
              - {path: /, upstream: shop, token: off, rate-limit: each}
              - {path: /stay, upstream: shop, token: off, rate-limit: tickets}
              - {path: /paid, upstream: shop, token: required}
              - {path: /gone, upstream: gone, token: off}
            """;

    private final TokenMint mint = TokenMint.shared();
    private final TestOrigin origin = new TestOrigin();
    private final List<RoomClient> clients = new ArrayList<>();
    private final Gateway gateway;

    /** @param folder for its files */
    BusyGateway(Path folder) throws IOException {
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        origin.behave((request, socket) -> (request.line().contains(RoomClient.STAY)
                        ? Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
                        : Behaviour.ok("welcome"))
                .response(request, socket));
        LoadedConfig config = new ConfigReader(Map.of(), List.of())
                .read("gateway.yaml", YAML.formatted(mint.publicKey(), origin.address()), folder);
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, UnaryOperator.identity(), line -> {});
    }

    /** Sends seven different requests, two of which succeed. */
    void serve() {
        try (RawClient client = new RawClient(gateway.listener("web").getPort())) {
            assertThat(ask(client, "/", "").status()).isEqualTo(200);
            RawClient.Response challenge = ask(client, "/paid", "");
            assertThat(challenge.status()).isEqualTo(401);
            String token = mint.response(challenge.field("WWW-Authenticate"));
            assertThat(pay(client, token)).isEqualTo(200);
            assertThat(pay(client, token)).as("spent").isEqualTo(401);
            assertThat(pay(client, "PrivateToken token=@")).isEqualTo(400);
            assertThat(ask(client, "/gone", "").status())
                    .as("refused, later known to be down")
                    .isIn(502, 503);
            assertThat(ask(client, "/.postern/nothing", "").status()).isEqualTo(404);
        }
    }

    /** Sends requests to a route without rules. */
    void pass() {
        try (RawClient client = new RawClient(gateway.listener("web").getPort())) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(client, "/", "").status()).isEqualTo(200);
            }
        }
    }

    /** Starts variable load of all kinds, until it is closed. */
    LoadGenerator startLoad() {
        return new LoadGenerator();
    }

    final class LoadGenerator {

        private volatile boolean open = true;
        private final CompletableFuture<Void> coming = CompletableFuture.runAsync(this::come);

        private void come() {
            for (int i = 0; open; i++) {
                serve();
                origin.received().clear(); // else each request would cost more than the previous one
                for (int passes = 0; passes < 10 + 10 * Math.sin(i / 20.0); passes++) {
                    pass();
                }
            }
        }

        /** Throws an exception when a client received an unexpected response. */
        void close() {
            open = false;
            coming.join();
        }
    }

    /** Adds a client of the waiting room: two have a pass at once, the others wait. */
    void come() {
        RoomClient client = new RoomClient(gateway.listener("web").getPort());
        client.enter();
        clients.add(client);
    }

    /** Sends another request for each client with a pass; the first client has no pass, and is admitted by the rate. */
    void stay() {
        assertThat(clients.subList(1, 3)).extracting(RoomClient::asksAgain).containsOnly(200);
    }

    private static int pay(RawClient client, String credentials) {
        return ask(client, "/paid", "Authorization: " + credentials + "\r\n").status();
    }

    private static RawClient.Response ask(RawClient client, String path, String fields) {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: shop.example\r\n" + fields + "\r\n")
                .read();
    }

    String url() {
        return "http://127.0.0.1:" + gateway.admin().getPort() + "/";
    }

    /** Waits until another viewer has received that many frames. */
    void awaitFrames(int count) {
        try (RawClient viewer = new RawClient(gateway.admin().getPort())) {
            viewer.send("POST /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            String last = "";
            for (int frames = 0; frames < count; ) {
                String next = viewer.readBytes(1);
                assertThat(next).as("the stream continues").isNotEmpty();
                frames += next.equals("\n") && last.equals("\n") ? 1 : 0;
                last = next;
            }
        }
    }

    /** Returns the sum of all series in /metrics with that name and these tags. */
    double metric(String name, String... tags) {
        try (RawClient client = new RawClient(gateway.admin().getPort())) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .filter(line -> List.of(tags).stream().allMatch(line::contains))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }

    @Override
    public void close() {
        clients.forEach(RoomClient::leave);
        gateway.close();
        origin.close();
    }
}
