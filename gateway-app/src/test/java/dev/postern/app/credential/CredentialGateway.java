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

/** Runs a gateway with a reverse and a forward listener, an issuer, an origin, and valid tokens for each request form. */
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
    private final List<Ended> endedExchanges = new ArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final TokenMints mints = TokenMints.fresh();
    private final Map<RequestForm, Queue<Material>> minted = new EnumMap<>(RequestForm.class);
    private final Map<RequestForm, String> refusals = new EnumMap<>(RequestForm.class);
    private final Issuer issuer = new Issuer(mints);
    private final Gateway gateway;
    private final ChallengeReplica replica;

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
        replica = new ChallengeReplica(
                KeyRing.read(ring), memcached, ORIGIN_NAMES, List.of(issuer.name(), "other.example"));
        for (RequestForm form : RequestForm.values()) {
            minted.put(form, new ArrayDeque<>());
        }
    }

    /** Data of an exchange in log and metrics. */
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
                stages.question(),
                stages.trace(),
                stages.matched(),
                stages.identify(),
                stages.verify(),
                stages.admit(),
                stages.admitted(),
                stages.spend(),
                stages.forward());
    }

    /** Retires a key that was valid; it is refused once this method returns. */
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

    RawClient client(RequestForm form) {
        return new RawClient(gateway.listener(form.listener()).getPort());
    }

    /** Sends one request; checks its response, and its data in log and metrics. */
    RawClient.Response ask(RawClient client, RequestForm form, String fields, ExpectedResponse expected)
            throws InterruptedException {
        int endedBefore = origin.received().size();
        RawClient.Response response = form.ask(client, origin.address(), fields);
        Ended end = Objects.requireNonNull(ended.poll(10, TimeUnit.SECONDS), "no exchange ended");
        endedExchanges.add(end);
        assertThat(response.status()).as("%s", end).isEqualTo(expected.status(form));
        if (expected.good()) {
            assertThat(end).isEqualTo(new Ended(expected.status(form), "", ""));
        } else {
            assertThat(end).isEqualTo(new Ended(expected.status(form), expected.code(), expected.reason()));
            assertThat(response.body()).contains("\"code\":\"" + expected.code() + "\"");
            assertThat(response.field("Cache-Control")).isEqualTo("no-store");
            assertThat(origin.received()).as("forwarded requests").hasSize(endedBefore);
        }
        assertThat(response.field(form.challengeField()).isEmpty()).isEqualTo(!expected.challenges());
        if (expected.challenges()) {
            // The reason must not be sent to the client.
            String body = withoutId(response);
            assertThat(body).isEqualTo(refusals.computeIfAbsent(form, first -> body));
        }
        return response;
    }

    private static String withoutId(RawClient.Response response) {
        String id = response.field("X-Request-ID");
        return id.isEmpty() ? response.body() : response.body().replace(id, "");
    }

    /** Checks that the log has a line for each exchange, in order, with the data of the metrics; waits for missing lines. */
    void readLog() {
        Awaitility.await().untilAsserted(() -> assertThat(lines).hasSize(endedExchanges.size()));
        for (int i = 0; i < endedExchanges.size(); i++) {
            Ended end = endedExchanges.get(i);
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

    /** Returns the last request that the origin received. */
    TestOrigin.Received received() {
        return origin.received().get(origin.received().size() - 1);
    }

    /** Creates an unused valid token for that request form. */
    Material material(RequestForm form) {
        Queue<Material> some = Objects.requireNonNull(minted.get(form));
        if (some.isEmpty()) {
            mint(form, some);
        }
        return some.remove();
    }

    private void mint(RequestForm form, Queue<Material> into) {
        Instant now = Instant.now();
        byte[] challengeBytes = challengeBytes(form);
        assertThat(challengeBytes)
                .as("the challenge of the gateway")
                .isIn(
                        replica.challenge(ChallengeReplica.context(form), now),
                        replica.challenge(ChallengeReplica.context(form), Instant.now()));
        ForeignChallenges foreign = replica.foreign(form, now);
        while (into.size() < BATCH) {
            into.add(new Material(form, mints.good(challengeBytes), challengeBytes, mints, foreign));
        }
    }

    private byte[] challengeBytes(RequestForm form) {
        try (RawClient client = client(form)) {
            RawClient.Response response = ask(client, form, "", ExpectedResponse.MISSING);
            ChallengeField field = Objects.requireNonNull(ChallengeField.parse(response.field(form.challengeField())))
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
