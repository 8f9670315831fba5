package dev.postern.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.RedisSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the state of a user of Redis, ledger or store, and the log say why Redis cannot be used. */
public abstract class RedisReasons {

    @RegisterExtension
    protected static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    protected static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    private static final String[] ALL = {"~*", "&*", "+@all"};

    @TempDir
    protected static Path folder;

    private static TestCertificate own;
    private static TestCertificate foreign;

    private final Class<?> logging;
    private final String refused;

    /**
     * @param logging class that logs the reasons
     * @param refused text of state and log before an error reply to a call
     */
    protected RedisReasons(Class<?> logging, String refused) {
        this.logging = logging;
        this.refused = refused;
    }

    /** Open connection to Redis of a ledger or a store. */
    public interface User extends AutoCloseable {

        /** Makes a call that writes, and does not wait for its result. */
        void call();

        boolean healthy();

        String state();

        @Override
        void close();
    }

    protected abstract User open(RedisSettings redis);

    @BeforeAll
    static void makeCertificates() {
        own = TestCertificate.ec(folder, "own", "dns:redis.example");
        foreign = TestCertificate.ec(folder, "foreign", "ip:127.0.0.1");
    }

    @AfterEach
    void reset() {
        REDIS.cli("replicaof", "no", "one");
        REDIS.cli("config", "set", "min-replicas-to-write", "0");
        REDIS.cli("config", "set", "maxmemory", "0");
        allow("default", "reset", "on", "nopass");
    }

    private static void allow(String user, String... rules) {
        REDIS.cli(Stream.of(List.of("acl", "setuser", user), List.of(rules), List.of(ALL))
                .flatMap(List::stream)
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "config set maxmemory 1 | OOM: the memory of the server is full (maxmemory)",
                "config set min-replicas-to-write 1 | NOREPLICAS: the server has fewer replicas",
                "acl setuser default -evalsha | NOPERM: the user may not use the command evalsha",
                "acl setuser default -set | NOPERM: the user may not use",
                "acl setuser default resetkeys ~other:* | NOPERM: the user may not use one of the keys",
            })
    void namesAnErrorReply(String command, String reason) {
        expectAfter(command, refused + reason);
    }

    @Test
    void namesAMissingOrWrongPassword() {
        String address = REDIS.address();
        allow("one", "on", ">right");
        expect(
                TestRedis.of("redis://one:wrong@" + address),
                "not connected: WRONGPASS: the server refuses user or password");
        try {
            REDIS.cli("acl", "setuser", "default", "off");
            expect(TestRedis.of("redis://" + address), "not connected: NOAUTH: the server requires a password");
        } finally {
            RedisClusterExtension.cli("-u", "redis://one:right@" + address, "acl", "setuser", "default", "on");
        }
    }

    @Test
    void namesAWrongClusterFlag() {
        expect(TestRedis.of("redis://" + CLUSTER.address()), "a node of a Cluster (expected: redis.cluster: true)");
        expect(
                TestRedis.of("redis://" + REDIS.address(), Map.of("cluster", true)),
                "no node of a Cluster (expected: one, or redis.cluster: false)");
    }

    @Test
    void namesTheFaultOfACertificate() {
        try (ServerProcess server = tls(own, "--tls-auth-clients", "no")) {
            RedisSettings tls = TestRedis.of("rediss://" + server.address());
            expect(tls, "TLS handshake failed: no trusted authority issued the certificate of the server");
            expect(
                    KeyDefaults.with(tls, Map.of("tls", files(own, null))),
                    "TLS handshake failed: the certificate of the server is for another name");
            expect(TestRedis.of("redis://" + server.address()), "the server closed the connection before a reply");
        }
    }

    @Test
    void namesAServerWithoutTls() {
        expect(TestRedis.of("rediss://" + REDIS.address()), "TLS");
    }

    @Test
    void showsItsCertificateToAServerThatRequiresOne() {
        String[] required = {
            "--tls-auth-clients", "yes", "--tls-ca-cert-file", own.certificate().toString()
        };
        try (ServerProcess server = tls(foreign, required)) {
            RedisSettings tls = TestRedis.of("rediss://" + server.address());
            expect(KeyDefaults.with(tls, Map.of("tls", files(foreign, null))), "requires");
            try (User user = open(KeyDefaults.with(tls, Map.of("tls", files(foreign, own))))) {
                Awaitility.await().until(user::healthy);
            }
        }
    }

    private static RedisSettings.Tls files(TestCertificate authority, @Nullable TestCertificate client) {
        return new RedisSettings.Tls(
                authority.certificate().toString(),
                client == null ? null : client.certificate().toString(),
                client == null ? null : client.key().toString());
    }

    /** Starts the redis-server of the system, since others may be built without TLS. */
    private static ServerProcess tls(TestCertificate certificate, String... options) {
        String[] usual = {
            "--bind", "127.0.0.1",
            "--port", "0",
            "--save", "",
            "--appendonly", "no",
            "--tls-port", "{port}",
            "--tls-cert-file", certificate.certificate().toString(),
            "--tls-key-file", certificate.key().toString()
        };
        String[] all = Stream.of(usual, options).flatMap(Stream::of).toArray(String[]::new);
        ServerProcess server = new ServerProcess("redis-server", ServerProcess.freePort(), all);
        server.start();
        return server;
    }

    /** Expects a reason after a command that changes the server. */
    protected final void expectAfter(String command, String reason) {
        try (LogLines log = new LogLines(logging);
                User user = open(TestRedis.of("redis://" + REDIS.address()))) {
            Awaitility.await().until(user::healthy);
            REDIS.cli(command.split(" ", -1));

            awaitReason(user, log, reason);
        }
    }

    private void expect(RedisSettings redis, String reason) {
        try (LogLines log = new LogLines(logging);
                User user = open(redis)) {
            awaitReason(user, log, reason);
        }
    }

    private static void awaitReason(User user, LogLines log, String reason) {
        Awaitility.await().untilAsserted(() -> {
            user.call();
            assertThat(user.state()).contains(reason);
            assertThat(log.lines()).anyMatch(line -> line.contains(" away") && line.contains(reason));
        });
    }
}
