package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.reload.Change;
import dev.postern.app.reload.Reloaded;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** An origin, a mint, and a gateway of the defaults but for what a test sets; sockets, YAML and all. */
final class Site implements AutoCloseable {

    static final TokenMint MINT = TokenMint.shared();

    /** The setting of a route that requires tokens. */
    static final String ASKING = "routes=[{upstream: app, token: required}]";

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            # Other builds may share this machine, and who is refused for that alone says nothing of the rest.
            overload: {loop-lag: {shed-above: 0}}
            log: {level: warn, successes: 100%}
            privacy-pass: {origin-names: [gateway.example]}
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["127.0.0.1:1"]}
            routes:
              - {upstream: app, token: off}
            """;

    final TestOrigin origin = new TestOrigin();
    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Path base;
    private Gateway gateway;

    private Site(Path base, String... settings) {
        this.base = base;
        this.gateway = open(settings);
    }

    /** @param settings {@code key=value} each, as the command line takes them */
    static Site with(String... settings) {
        return new Site(Path.of(""), settings);
    }

    /** With relative file names below that folder. */
    static Site in(Path base, String... settings) {
        return new Site(base, settings);
    }

    /** @param first the settings before the others */
    static Site with(List<String> first, String... settings) {
        return with(Stream.concat(first.stream(), Stream.of(settings)).toArray(String[]::new));
    }

    /** Routes require tokens of the mint. */
    static Site asking(String... settings) {
        return with(List.of(ASKING, issuer()), settings);
    }

    /** A forward listener in place of the other one. */
    static Site forwarding(String policy, String... settings) {
        return with(forward(policy), settings);
    }

    /** The settings of a forward listener with the keys of its policy. */
    static List<String> forward(String policy) {
        return List.of(
                "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default}]",
                "forward={default: {" + policy + "}}");
    }

    /** The setting that names the mint. */
    static String issuer() {
        return issuer("");
    }

    /** @param keys further keys of the issuer, each behind a comma */
    static String issuer(String keys) {
        return "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + MINT.publicKey() + "\"]" + keys + "}]";
    }

    /** The setting that names an issuer with a directory. */
    static String issuer(String name, URI directory, String keys) {
        return "privacy-pass.issuers=[{name: \"" + name + "\", directory: \"" + directory + "\"" + keys + "}]";
    }

    /** Ends the gateway and starts another one with other settings and the same origin. */
    void again(String... settings) {
        gateway.close();
        gateway = open(settings);
    }

    /** Changes the settings of the running gateway. */
    Reloaded reload(String... settings) {
        return gateway.reload(read(settings));
    }

    /** Changes the settings of the running gateway, all of them in force, and returns the keys that changed. */
    List<String> apply(String... settings) {
        Reloaded reloaded = reload(settings);
        assertThat(reloaded.problems()).isEmpty();
        assertThat(reloaded.result()).isEqualTo(Reloaded.Result.OK);
        return reloaded.changes().stream().map(Change::toString).toList();
    }

    private Gateway open(String... settings) {
        LoadedConfig config = read(settings);
        assertThat(config.problems()).isEmpty();
        return Gateway.start(config, UnaryOperator.identity(), lines::add);
    }

    private LoadedConfig read(String... settings) {
        List<String> all = new ArrayList<>();
        all.add("upstreams.app.endpoints=[\"" + origin.address() + "\"]");
        all.addAll(List.of(settings));
        return new ConfigReader(Map.of(), all).read("gateway.yaml", YAML, base);
    }

    Gateway gateway() {
        return gateway;
    }

    int port() {
        return gateway.listener("web").getPort();
    }

    RawClient client() {
        return new RawClient(port());
    }

    RawClient client(String listener) {
        return new RawClient(gateway.listener(listener).getPort());
    }

    /** One exchange on a connection of its own. */
    RawClient.Response get(String path, String... fields) {
        try (RawClient client = client()) {
            return client.send(request("GET", path, fields)).read();
        }
    }

    /** One exchange with the admin address. */
    RawClient.Response admin(String path, String... fields) {
        List<String> all = new ArrayList<>(List.of(fields));
        all.add("Host: localhost");
        try (RawClient client = new RawClient(gateway.admin().getPort())) {
            return client.send(request("GET", path, all.toArray(String[]::new))).read();
        }
    }

    String metrics() {
        return admin("/metrics").body();
    }

    /** The value of the first line of the metrics that starts so, or -1 when there is none. */
    int meter(String start) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .map(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .orElse(-1);
    }

    /** Waits for that line of the metrics. */
    void awaitMeter(String line) {
        await().untilAsserted(() -> assertThat(metrics()).contains(line + "\n"));
    }

    /** Whether that part of the gateway fares well, as probes see it. */
    boolean healthy(String part) {
        return JsonMapper.shared()
                .readTree(admin("/readyz").body())
                .path("parts")
                .path(part)
                .path("healthy")
                .asBoolean();
    }

    /** The page without white space. */
    String context() {
        return admin("/context").body().replaceAll("\\s", "");
    }

    /** The challenge that a visitor gets. */
    String challenge() {
        RawClient.Response refused = get("/");
        assertThat(refused.status()).isEqualTo(401);
        return refused.field("WWW-Authenticate");
    }

    /** The first challenge of a field. */
    static TokenChallenge decoded(String field) {
        byte[] challenge =
                Objects.requireNonNull(ChallengeField.parse(field)).get(0).challenge();
        return Objects.requireNonNull(TokenChallenge.decode(challenge));
    }

    /** A fresh token as the value of an Authorization field. */
    String token() {
        return MINT.response(challenge());
    }

    /** The status that a visitor with that token gets. */
    int redeem(String token) {
        return get("/", "Authorization: " + token).status();
    }

    /** The name and value of the cookie that a response sets. */
    static String cookie(RawClient.Response response) {
        return response.field("Set-Cookie").split(";", 2)[0];
    }

    static String request(String method, String path, String... fields) {
        StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        List<String> all = List.of(fields);
        if (all.stream().noneMatch(f -> f.startsWith("Host:"))) {
            request.append("Host: site.example\r\n");
        }
        all.forEach(f -> request.append(f).append("\r\n"));
        return request.append("\r\n").toString();
    }

    @Override
    public void close() {
        gateway.close();
        origin.close();
    }

    /** A memcached that runs. */
    static ServerProcess memcached() {
        ServerProcess memcached = ServerProcess.memcached(64);
        memcached.start();
        return memcached;
    }

    /** The setting that makes it the ledger. */
    static String ledger(ServerProcess memcached) {
        return "privacy-pass.ledger={store: memcached, deadline: 10s, memcached: {servers: [\"" + memcached.address()
                + "\"]}}";
    }
}
