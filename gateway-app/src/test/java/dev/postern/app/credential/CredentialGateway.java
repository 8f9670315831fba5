package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.token.ChallengeField;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
            overload: {loop-lag: {shed-above: 0}}
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
    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
    private final List<Ended> seen = new ArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
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
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml, folder);
        assertThat(config.problems()).isEmpty();
        gateway = Gateway.start(config, this::watched, lines::add);
        replica = new Replica(KeyRing.read(ring), memcached, ORIGIN_NAMES, List.of(issuer.name(), "other.example"));
        for (Door door : Door.values()) {
            minted.put(door, new ArrayDeque<>());
        }
    }

    /** What log and meters are told of an exchange. */
    private record Ended(int status, String code, String reason) {}

    private Stages watched(Stages stages) {
        Exchange.EndListener log = exchange -> {
            stages.log().ended(exchange);
            Outcome outcome = exchange.outcome();
            Refusal refusal = outcome.refusal();
            ended.add(new Ended(outcome.status(), refusal == null ? "" : refusal.code(), outcome.reason()));
        };
        return new Stages(
                log,
                stages.trace(),
                stages.matched(),
                stages.identify(),
                stages.verify(),
                stages.admit(),
                stages.admitted(),
                stages.spend(),
                stages.forward());
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

    /** One request; log and meters must be told what is expected, too. */
    RawClient.Response ask(RawClient client, Door door, String fields, Expected expected) throws InterruptedException {
        int before = origin.received().size();
        RawClient.Response response = door.ask(client, origin.address(), fields);
        Ended end = Objects.requireNonNull(ended.poll(10, TimeUnit.SECONDS), "no exchange ended");
        seen.add(end);
        assertThat(response.status()).as("%s", end).isEqualTo(expected.status(door));
        if (expected.good()) {
            assertThat(end).isEqualTo(new Ended(expected.status(door), "", ""));
        } else {
            assertThat(end).isEqualTo(new Ended(expected.status(door), expected.code(), expected.reason()));
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

    /** The log has a line for each exchange, in their order, and it says what log and meters were told; lines wait for each other. */
    void readLog() {
        Awaitility.await().untilAsserted(() -> assertThat(lines).hasSize(seen.size()));
        for (int i = 0; i < seen.size(); i++) {
            Ended end = seen.get(i);
            assertThat(lines.get(i)).contains("\"status\":" + end.status());
            if (end.code().isEmpty()) {
                assertThat(lines.get(i)).doesNotContain("\"code\"", "\"reason\"");
            } else {
                assertThat(lines.get(i)).contains("\"code\":\"" + end.code() + "\"");
                assertThat(reason(lines.get(i))).isEqualTo(end.reason());
            }
        }
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
