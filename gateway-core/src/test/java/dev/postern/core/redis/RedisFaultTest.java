package dev.postern.core.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedisFaultTest {

    private static final String REPLICA = "READONLY: a replica, which stores nothing (expected: a master)";

    static Stream<Arguments> replies() {
        return Stream.of(
                Arguments.of(
                        "READONLY You can't write against a read only replica. script: f00, on @user_script:130.",
                        REPLICA,
                        true),
                Arguments.of(
                        "ERR Error running script (call to f_17): @user_script:130: @user_script: 130: -READONLY You can't write"
                                + " against a read only replica.",
                        REPLICA,
                        true),
                Arguments.of(
                        "MASTERDOWN Link with MASTER is down",
                        "MASTERDOWN: a replica without its master (expected: a master)",
                        true),
                Arguments.of(
                        "CLUSTERDOWN Hash slot not served",
                        "CLUSTERDOWN: the Cluster is down, or a slot has no master",
                        true),
                Arguments.of(
                        "UNBLOCKED force unblock from blocking operation",
                        "UNBLOCKED: the server became a replica",
                        true),
                Arguments.of("REDIRECT 10.0.0.1:6379", "REDIRECT: another server is the master now", true),
                Arguments.of(
                        "NOAUTH Authentication required.",
                        "NOAUTH: the server requires a password (expected: one in redis.uri-file)",
                        true),
                Arguments.of(
                        "WRONGPASS invalid username-password pair or user is disabled.",
                        "WRONGPASS: the server refuses user or password (expected: those of redis.uri or redis.uri-file)",
                        true),
                Arguments.of(
                        "LOADING Redis is loading the dataset in memory",
                        "LOADING: the server is loading its data",
                        false),
                Arguments.of(
                        "OOM command not allowed when used memory > 'maxmemory'.",
                        "OOM: the memory of the server is full (maxmemory)",
                        false),
                Arguments.of(
                        "MISCONF Redis is configured to save RDB snapshots",
                        "MISCONF: the server cannot save its data to disk, and stores nothing until it can",
                        false),
                Arguments.of(
                        "NOREPLICAS Not enough good replicas to write.",
                        "NOREPLICAS: the server has fewer replicas than its min-replicas-to-write",
                        false),
                Arguments.of(
                        "NOPERM User s3cret has no permissions to run the 'script|load' command",
                        "NOPERM: the user may not use the command script|load (expected: the permissions in docs/deploy.md)",
                        false),
                Arguments.of(
                        "ERR ACL failure in script: User s3cret has no permissions to run the 'zadd' command script: f0",
                        "NOPERM: the user may not use the command zadd (expected: the permissions in docs/deploy.md)",
                        false),
                Arguments.of(
                        "ERR The user executing the script can't run this command or subcommand script: f0",
                        "NOPERM: the user may not use a command of the script (expected: the permissions in docs/deploy.md)",
                        false),
                Arguments.of(
                        "ERR The user executing the script can't access at least one of the keys mentioned in the command",
                        "NOPERM: the user may not use one of the keys (expected: the permissions in docs/deploy.md)",
                        false),
                Arguments.of(
                        "NOPERM No permissions to access the 's3cret:{1}' key",
                        "NOPERM: the user may not use one of the keys (expected: the permissions in docs/deploy.md)",
                        false),
                Arguments.of(
                        "MOVED 12539 10.0.0.1:7002",
                        "MOVED: a node of a Cluster (expected: redis.cluster: true)",
                        false),
                Arguments.of(
                        "CROSSSLOT Keys in request don't hash to the same slot",
                        "CROSSSLOT: a node of a Cluster (expected: redis.cluster: true)",
                        false),
                Arguments.of(
                        "ERR This instance has cluster support disabled",
                        "ERR: no node of a Cluster (expected: one, or redis.cluster: false)",
                        false),
                Arguments.of(
                        "ERR unknown command 'EVALSHA', with args beginning with: 's3cret'",
                        "ERR: the server does not have the command evalsha (expected: neither renamed nor disabled)",
                        false),
                Arguments.of(
                        "ERR max number of clients reached",
                        "ERR: the server has as many clients as it permits (maxclients)",
                        false),
                Arguments.of("ERR DB index is out of range", "ERR: the server has no database of this number", false),
                Arguments.of(
                        "ERR SELECT is not allowed in cluster mode", "ERR: a Cluster has only the database 0", false),
                Arguments.of(
                        "DENIED Redis is running in protected mode because",
                        "DENIED: the server is in protected mode: it has no password, and this is another host",
                        false),
                Arguments.of("ERR s3cret", "ERR: an error reply", false),
                Arguments.of("NEWCODE s3cret", "NEWCODE: an error reply", false));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void namesWhatAnErrorReplyMeans(String message, String reason, boolean elsewhere) {
        Throwable wrapped = new CompletionException("redis://:s3cret@10.0.0.1", new IllegalStateException(message));

        RedisFault fault = RedisFault.of(wrapped, false);

        assertThat(fault).isEqualTo(new RedisFault(reason, elsewhere, true));
        assertThat(fault.reason()).doesNotContain("s3cret", "10.0.0.1");
    }

    @Test
    void expectsRedirectionsOfACluster() {
        assertThat(RedisFault.of(new IllegalStateException("MOVED 1 10.0.0.1:7002"), true)
                        .reason())
                .isEqualTo("MOVED: the slot is on another node");
    }

    @Test
    void findsTheReplyAmongTheFailuresOfSeveralAttempts() {
        IllegalStateException all = new IllegalStateException("Cannot retrieve initial cluster partitions");
        all.addSuppressed(new IOException("reset"));
        all.addSuppressed(
                new CompletionException(new IllegalStateException("ERR This instance has cluster support disabled")));

        assertThat(RedisFault.of(all, true).reason()).startsWith("ERR: no node of a Cluster");
    }

    /** A client of a Cluster tries several nodes, and each attempt has its own cause. */
    @Test
    void findsTheCauseAmongTheFailuresOfSeveralAttempts() {
        IllegalStateException all = new IllegalStateException("Cannot retrieve initial cluster partitions");
        all.addSuppressed(new IllegalStateException("Unable to connect", new IOException("reset")));
        all.addSuppressed(new IllegalStateException(
                "Unable to connect", new SSLException(new CertPathBuilderException("unable to find a path"))));

        assertThat(RedisFault.connecting(all, true).reason())
                .isEqualTo("TLS handshake failed: no trusted authority issued the certificate of the server");

        IllegalStateException refused = new IllegalStateException("Cannot retrieve initial cluster partitions");
        refused.addSuppressed(new CompletionException(new ConnectException("Connection refused: /127.0.0.1:1")));
        assertThat(RedisFault.connecting(refused, true).reason()).isEqualTo("connection refused");
    }

    /** A server with TLS closes a connection whose first bytes are a command. */
    @Test
    void namesTlsAsACauseOfAConnectionThatEndsBeforeAReply() {
        assertThat(RedisFault.connecting(new IOException("Connection reset by peer"), false)
                        .reason())
                .isEqualTo(
                        "the server closed the connection before a reply (expected: a Redis; if it uses TLS, a URI with"
                                + " rediss://)");
        assertThat(RedisFault.connecting(new ConnectException("Connection refused"), false)
                        .reason())
                .isEqualTo("connection refused");
    }

    @Test
    void readsNoReplyInMessagesOfSockets() {
        assertThat(RedisFault.of(new SSLException("SSL peer shut down incorrectly"), false))
                .isEqualTo(new RedisFault("TLS handshake failed", false, false));
        assertThat(RedisFault.of(new CertificateException("PKIX path building failed"), false)
                        .reply())
                .isFalse();
        assertThat(RedisFault.of(new ConnectException("Connection refused: /10.0.0.1:1"), false))
                .isEqualTo(new RedisFault("connection refused", false, false));
    }
}
