package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.Loaded;
import dev.postern.auth.token.ChallengeField;
import dev.postern.core.seal.KeyRing;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A gateway with a site and a way out, an issuer, an origin, and good tokens for each door. */
final class CredentialGateway implements AutoCloseable {

    private static final String ORIGIN_NAMES = "gateway.example,www.gateway.example";
    private static final int BATCH = 32;
    private static final Pattern REASON = Pattern.compile("\"reason\":\"([^\"]*)\"");

    private static final String YAML = """
            secrets: {ring-file: ring}
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
              - {name: out, address: "127.0.0.1:0", mode: forward, forward: default, congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: warn, successes: 100%%}
            privacy-pass:
              origin-names: [%s]
              failure-budget: 0
              issuers:
                - {name: "%s", directory: "%s", refresh: 1s, revoked: [%s]}
                - {name: other.example, public-keys: ["%s"]}
              ledger: {store: memcached, deadline: 5s, memcached: {servers: ["%s"]}}
            forward:
              default: {token: required, allow-ports: ["1024-65535"], allow-private: [127.0.0.0/8]}
            upstreams:
              - {name: app, endpoints: ["%s"], congestion-control: reno}
            routes:
              - {upstream: app, token: required}
              - {path: /other, upstream: app, token: required}
            """;

    private final TestOrigin origin = new TestOrigin();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Mints mints = Mints.fresh();
    private final Map<Door, Queue<Material>> minted = new EnumMap<>(Door.class);
    private final Map<Door, String> refusals = new EnumMap<>(Door.class);
    private final Issuer issuer = new Issuer(mints);
    private final Gateway gateway;
    private final Replica replica;

    /**
     * @param folder for its files
     * @param memcached {@code host:port}
     */
    CredentialGateway(Path folder, String memcached) throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        String yaml = YAML.formatted(
                ORIGIN_NAMES,
                issuer.name(),
                issuer.directory(),
                mints.revoked().key().id(),
                mints.other().publicKey(),
                memcached,
                origin.address());
        Loaded loaded = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml, folder);
        assertThat(loaded.problems()).isEmpty();
        gateway = Gateway.start(loaded, UnaryOperator.identity(), lines::add);
        replica = new Replica(KeyRing.read(ring), memcached, ORIGIN_NAMES, List.of(issuer.name(), "other.example"));
        for (Door door : Door.values()) {
            minted.put(door, new ArrayDeque<>());
        }
    }

    /** A key that was good is good no more, when this returns. */
    void retireKey() {
        String id = mints.retired().key().id().toString();
        assertThat(keys()).contains(id);
        issuer.retire();
        Awaitility.await().until(() -> !keys().contains(id));
    }

    private String keys() {
        try (RawClient client = new RawClient(gateway.admin().getPort())) {
            return client.send("GET /keys HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body();
        }
    }

    RawClient client(Door door) {
        return new RawClient(gateway.listener(door.listener()).getPort());
    }

    /** One request; its line in the log must say what is expected, too. */
    RawClient.Response ask(RawClient client, Door door, String fields, Expected expected) throws InterruptedException {
        int before = origin.received().size();
        RawClient.Response response = door.ask(client, origin.address(), fields);
        String line = lines.poll(10, TimeUnit.SECONDS);
        assertThat(response.status()).as("%s", line).isEqualTo(expected.status(door));
        assertThat(line).contains("\"status\":" + expected.status(door));
        if (expected.good()) {
            assertThat(line).doesNotContain("\"code\"", "\"reason\"");
        } else {
            assertThat(line).contains("\"code\":\"" + expected.code() + "\"");
            assertThat(reason(line)).isEqualTo(expected.reason());
            assertThat(response.body()).contains("\"code\":\"" + expected.code() + "\"");
            assertThat(response.field("Cache-Control")).isEqualTo("no-store");
            assertThat(origin.received()).as("requests that went through").hasSize(before);
        }
        assertThat(response.field(door.challengeField()).isEmpty()).isEqualTo(!expected.challenges());
        if (expected.challenges()) {
            // A client must not learn why.
            assertThat(response.body()).isEqualTo(refusals.computeIfAbsent(door, first -> response.body()));
        }
        return response;
    }

    private static String reason(String line) {
        Matcher reason = REASON.matcher(line);
        return reason.find() ? reason.group(1) : "";
    }

    /** The last request that the origin got. */
    TestOrigin.Received received() {
        return origin.received().get(origin.received().size() - 1);
    }

    /** A token that is good at that door, and was never used. */
    Material material(Door door) {
        Queue<Material> some = Objects.requireNonNull(minted.get(door));
        if (some.isEmpty()) {
            mint(door, some);
        }
        return some.remove();
    }

    private void mint(Door door, Queue<Material> into) {
        Instant now = Instant.now();
        byte[] asked = asked(door);
        assertThat(asked)
                .as("what the gateway asks")
                .isIn(
                        replica.challenge(Replica.place(door), now),
                        replica.challenge(Replica.place(door), Instant.now()));
        Elsewhere elsewhere = replica.elsewhere(door, now);
        while (into.size() < BATCH) {
            into.add(new Material(door, mints.good(asked), asked, mints, elsewhere));
        }
    }

    private byte[] asked(Door door) {
        try (RawClient client = client(door)) {
            RawClient.Response response = ask(client, door, "", Expected.MISSING);
            ChallengeField field = Objects.requireNonNull(ChallengeField.parse(response.field(door.challengeField())))
                    .get(0);
            assertThat(field.tokenKey()).isEqualTo(mints.current().key().encoded());
            return field.challenge();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        replica.close();
        gateway.close();
        issuer.close();
        origin.close();
    }
}
