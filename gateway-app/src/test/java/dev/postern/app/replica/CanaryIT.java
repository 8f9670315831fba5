package dev.postern.app.replica;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the identity of a client, with recognizable values, is stored nowhere, in no encoding. */
class CanaryIT {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final String ADDRESS = "127.77.88.99";
    private static final String HOST = "canary-host.example";
    private static final String DESTINATION = "canary-destination.example";
    private static final String QUERY = "canary-query";
    private static final TokenMint MINT = TokenMint.shared();

    private final TestOrigin origin = new TestOrigin();
    private final List<byte[]> tokens = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        origin.close();
    }

    @Test
    void storesNoIdentityOfTheClient() throws IOException {
        try (GatewayProcess gateway = new GatewayProcess(folder, "canary", yaml()).awaitReady()) {
            visit(gateway);
            String log = awaitLog(gateway);
            Map<String, String> locations = new LinkedHashMap<>();
            locations.put("log", log);
            for (String page : List.of("/metrics", "/context", "/keys", "/rooms", "/readyz")) {
                locations.put(page, admin(gateway, page));
            }
            locations.put("memcached", memcached());
            locations.put("redis", redis());
            locations.put("upstream", upstream());
            assertThat(locations)
                    .allSatisfy(
                            (location, text) -> assertThat(text).as(location).isNotEmpty());
            secrets()
                    .forEach((subject, secret) -> locations.forEach((location, text) -> {
                        if (!isPermitted(subject, location)) {
                            // Text that may legitimately contain values is not searched.
                            assertThat(text.lines().filter(line -> line.contains(secret)))
                                    .as(subject + " in " + location)
                                    .isEmpty();
                        }
                    }));
        }
    }

    /** Returns whether a place may contain the value: the site receives the client's identity, the log contains the site. */
    private static boolean isPermitted(String subject, String location) {
        return switch (subject) {
            case "client address", "query" -> location.equals("upstream");
            case "host" -> location.equals("upstream") || location.equals("log");
            default -> false;
        };
    }

    private void visit(GatewayProcess gateway) throws IOException {
        try (RawClient client = new RawClient(ADDRESS, gateway.port())) {
            for (int i = 0; i < 3; i++) {
                String token = response(ask(client, ""));
                assertThat(ask(client, "Authorization: " + token + "\r\n").status())
                        .isIn(200, 503);
                assertThat(ask(client, "Authorization: " + token + "\r\n").status())
                        .isIn(200, 401, 503);
                String forged = token.substring(0, 300) + (token.charAt(300) == 'A' ? 'B' : 'A') + token.substring(301);
                assertThat(ask(client, "Authorization: " + forged + "\r\n").status())
                        .isIn(401, 503);
            }
        }
        tunnel(gateway);
    }

    private RawClient.Response ask(RawClient client, String fields) {
        return client.send("GET /page?" + QUERY + "=1 HTTP/1.1\r\nHost: " + HOST + "\r\n" + fields + "\r\n")
                .read();
    }

    private void tunnel(GatewayProcess gateway) throws IOException {
        String head = "CONNECT " + DESTINATION + ":443 HTTP/1.1\r\nHost: " + DESTINATION + ":443\r\n";
        String token;
        try (RawClient client = new RawClient(ADDRESS, gateway.forward())) {
            token = response(client.send(head + "\r\n").read());
        }
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.forward(), InetAddress.getByName(ADDRESS), 0)) {
            socket.getOutputStream().write((head + "Proxy-Authorization: " + token + "\r\n\r\n").getBytes(ISO_8859_1));
            // The name does not exist: refused after the token was spent.
            assertThat(new String(socket.getInputStream().readNBytes(12), ISO_8859_1))
                    .startsWith("HTTP/1.1 5");
        }
    }

    private String response(RawClient.Response refused) {
        String field = refused.status() == 407 ? "Proxy-Authenticate" : "WWW-Authenticate";
        String token = MINT.response(refused.field(field));
        String encoded = token.substring(token.indexOf('=') + 1).replace("\"", "");
        tokens.add(Base64.getUrlDecoder().decode(encoded));
        return token;
    }

    private Map<String, String> secrets() {
        Map<String, String> secrets = new LinkedHashMap<>();
        secrets.put("client address", ADDRESS);
        secrets.put("host", HOST);
        secrets.put("destination", DESTINATION);
        secrets.put("query", QUERY);
        for (int i = 0; i < tokens.size(); i++) {
            byte[] token = tokens.get(i);
            spell(secrets, "token " + i, token);
            spell(secrets, "nonce " + i, Arrays.copyOfRange(token, 2, 34));
            spell(secrets, "authenticator " + i, Arrays.copyOfRange(token, 98, 354));
        }
        return secrets;
    }

    private static void spell(Map<String, String> into, String subject, byte[] bytes) {
        into.put(subject + ", bytes", new String(bytes, ISO_8859_1));
        into.put(subject + ", hex", HexFormat.of().formatHex(bytes));
        into.put(subject + ", HEX", HexFormat.of().withUpperCase().formatHex(bytes));
        into.put(subject + ", base64", Base64.getEncoder().withoutPadding().encodeToString(bytes));
        into.put(
                subject + ", base64url", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    private static String awaitLog(GatewayProcess gateway) {
        Awaitility.await()
                .until(() -> gateway.log().contains("\"stage\":\"tunnel\"")
                        || gateway.log().contains("CONNECT"));
        return gateway.log();
    }

    private static String admin(GatewayProcess gateway, String page) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body();
        }
    }

    /** Returns every key and its value. */
    private static String memcached() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), MEMCACHED.server().port())) {
            String keys = command(socket, "lru_crawler metadump all\r\n", "END\r\n");
            all.append(keys);
            for (String line : keys.split("\r?\n")) {
                if (line.startsWith("key=")) {
                    String key = line.substring(4, line.indexOf(' '));
                    all.append(
                            command(socket, "get " + java.net.URLDecoder.decode(key, ISO_8859_1) + "\r\n", "END\r\n"));
                }
            }
        }
        return all.toString();
    }

    private static String command(Socket socket, String command, String end) throws IOException {
        socket.getOutputStream().write(command.getBytes(ISO_8859_1));
        StringBuilder response = new StringBuilder();
        while (!response.toString().endsWith(end)) {
            int next = socket.getInputStream().read();
            assertThat(next).isNotNegative();
            response.append((char) next);
        }
        return response.toString();
    }

    private static String redis() {
        String port = Integer.toString(REDIS.server().port());
        StringBuilder all = new StringBuilder();
        for (String key : RedisClusterExtension.cli("-p", port, "keys", "*").split("\n")) {
            all.append(key).append(RedisClusterExtension.cli("-p", port, "--no-raw", "dump", key));
            all.append(RedisClusterExtension.cli(
                    "-p",
                    port,
                    "eval",
                    "local t = redis.call('TYPE', KEYS[1]).ok "
                            + "if t == 'hash' then return redis.call('HGETALL', KEYS[1]) end "
                            + "if t == 'zset' then return redis.call('ZRANGE', KEYS[1], 0, -1) end "
                            + "if t == 'string' then return redis.call('GET', KEYS[1]) end return t",
                    "1",
                    key));
        }
        return all.toString();
    }

    private String upstream() {
        StringBuilder all = new StringBuilder();
        origin.received().forEach(r -> all.append(r.head()).append(new String(r.body(), ISO_8859_1)));
        return all.toString();
    }

    private String yaml() throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        return """
                instance: {namespace: canary}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno}
                  - {name: out, address: "127.0.0.1:{forward}", mode: forward, forward: default, congestion-control: reno}
                admin: {address: "127.0.0.1:{admin}"}
                log: {successes: 100%%, level: debug}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s"}
                privacy-pass:
                  issuers:
                    - {name: issuer.example, public-keys: ["%s"]}
                  ledger: {store: memcached, deadline: 10s, memcached: {servers: ["%s"]}}
                rate-limits:
                  - {name: site, rate: 1/h, store: redis, fair-queue: {active-sessions: 2}}
                forward:
                  default: {token: required, allow-ports: [443]}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: required, rate-limit: site}
                """.formatted(ring, REDIS.address(), MINT.publicKey(), MEMCACHED.address(), origin.address());
    }
}
