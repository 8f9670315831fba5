package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
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

/** A site under test: an origin, a mint, and a gateway with default settings except for the settings of the test. */
final class Site implements AutoCloseable {

    static final TokenMint MINT = TokenMint.shared();

    /** The setting of a route that requires tokens. */
    static final String TOKEN_REQUIRED = "routes=[{upstream: app, token: required}]";

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            # Other builds may share this machine; their load must not cause refusals.
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

    /** Opens a site whose relative file names are below the folder. */
    static Site in(Path base, String... settings) {
        return new Site(base, settings);
    }

    /** @param first the settings before the others */
    static Site with(List<String> first, String... settings) {
        return with(Stream.concat(first.stream(), Stream.of(settings)).toArray(String[]::new));
    }

    /** Opens a site whose routes require tokens of the mint. */
    static Site requiringTokens(String... settings) {
        return with(List.of(TOKEN_REQUIRED, issuer()), settings);
    }

    /** Opens a site with a forward listener instead of the reverse listener. */
    static Site forwarding(String policy, String... settings) {
        return with(forward(policy), settings);
    }

    /** Returns the settings of a forward listener with the keys of its policy. */
    static List<String> forward(String policy) {
        return List.of(
                "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default}]",
                "forward={default: {" + policy + "}}");
    }

    /** Returns the setting of the mint as issuer. */
    static String issuer() {
        return issuer("");
    }

    /** @param keys further keys of the issuer, each after a comma */
    static String issuer(String keys) {
        return "privacy-pass.issuers=[{name: issuer.example, public-keys: [\"" + MINT.publicKey() + "\"]" + keys + "}]";
    }

    /** Returns the setting of an issuer with a directory. */
    static String issuer(String name, URI directory, String keys) {
        return "privacy-pass.issuers=[{name: \"" + name + "\", directory: \"" + directory + "\"" + keys + "}]";
    }

    /** Ends the gateway and starts another one with other settings and the same origin. */
    void restart(String... settings) {
        gateway.close();
        gateway = open(settings);
    }

    /** Changes the settings of the running gateway. */
    Reloaded reload(String... settings) {
        return gateway.reload(read(settings));
    }

    /** Changes the settings of the running gateway, which must succeed, and returns the changed keys. */
    List<String> apply(String... settings) {
        Reloaded reloaded = reload(settings);
        assertThat(reloaded.problems()).isEmpty();
        assertThat(reloaded.result()).isEqualTo(Reloaded.Result.OK);
        return reloaded.changes();
    }

    private Gateway open(String... settings) {
        LoadedConfig config = read(settings);
        assertThat(config.problems()).isEmpty();
        return Gateway.start(config, UnaryOperator.identity(), lines::add);
    }

    private LoadedConfig read(String... settings) {
        return read(base, origin.address(), settings);
    }

    /** @param origin the endpoint of the upstream */
    static LoadedConfig read(Path base, String origin, String... settings) {
        List<String> all = new ArrayList<>();
        all.add("upstreams.app.endpoints=[\"" + origin + "\"]");
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

    /** Sends a request on a new connection. */
    RawClient.Response get(String path, String... fields) {
        try (RawClient client = client()) {
            return client.send(request("GET", path, fields)).read();
        }
    }

    /** Sends a request to the admin address. */
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

    /** Returns the value of the first line of the metrics with the prefix, or -1 without such a line. */
    int meter(String prefix) {
        return meter(metrics(), prefix);
    }

    static int meter(String metrics, String prefix) {
        return metrics.lines()
                .filter(line -> line.startsWith(prefix))
                .findFirst()
                .map(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .orElse(-1);
    }

    /** Waits for that line of the metrics. */
    void awaitMeter(String line) {
        await().untilAsserted(() -> assertThat(metrics()).contains(line + "\n"));
    }

    /** Returns whether the readiness page reports the component as healthy. */
    boolean healthy(String component) {
        return JsonMapper.shared()
                .readTree(admin("/readyz").body())
                .path("parts")
                .path(component)
                .path("healthy")
                .asBoolean();
    }

    /** Returns the page of the hidden context without white space. */
    String context() {
        return admin("/context").body().replaceAll("\\s", "");
    }

    /** Returns the challenge of a refused request. */
    String challenge() {
        RawClient.Response refused = get("/");
        assertThat(refused.status()).isEqualTo(401);
        return refused.field("WWW-Authenticate");
    }

    /** Returns the first challenge of a field. */
    static TokenChallenge decoded(String field) {
        byte[] challenge =
                Objects.requireNonNull(ChallengeField.parse(field)).get(0).challenge();
        return Objects.requireNonNull(TokenChallenge.decode(challenge));
    }

    /** Returns a new token as the value of an Authorization field. */
    String token() {
        return MINT.response(challenge());
    }

    /** Returns the status of a request with the token. */
    int redeem(String token) {
        return get("/", "Authorization: " + token).status();
    }

    /** Returns the name and value of the cookie that a response sets. */
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

    /** Starts a memcached. */
    static ServerProcess memcached() {
        ServerProcess memcached = ServerProcess.memcached(64);
        memcached.start();
        return memcached;
    }

    /** Returns the setting that uses the memcached as the ledger. */
    static String ledger(ServerProcess memcached) {
        return "privacy-pass.ledger={store: memcached, deadline: 10s, memcached: {servers: [\"" + memcached.address()
                + "\"]}}";
    }
}
