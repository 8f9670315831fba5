package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests what {@code check --connect} says about Redis. */
class RedisCheckIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @TempDir
    private Path folder;

    @AfterEach
    void reset() {
        REDIS.cli("replicaof", "no", "one");
        REDIS.cli("config", "set", "maxmemory-policy", "noeviction");
        REDIS.cli("config", "set", "maxmemory", "0");
        REDIS.cli("config", "set", "min-replicas-to-write", "0");
        REDIS.cli("acl", "setuser", "default", "reset", "on", "nopass", "~*", "&*", "+@all");
        assertThat(REDIS.cli("keys", "*").strip()).as("keys that stay").isEmpty();
    }

    private String check(String redis) {
        StringWriter out = new StringWriter();
        try {
            Path config = Files.writeString(folder.resolve("gateway.yaml"), """
                    listeners: [{name: web, address: "127.0.0.1:0"}]
                    privacy-pass: {ledger: {store: redis}}
                    rate-limits: [{name: site, rate: 1/s, store: redis}]
                    redis: %s
                    upstreams: [{name: app, endpoints: ["127.0.0.1:1"]}]
                    routes: [{upstream: app, token: off, rate-limit: site}]
                    """.formatted(redis));
            PrintWriter writer = new PrintWriter(out, true);
            PosternCommand.execute(writer, writer, "check", "--connect", "-c", config.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private static String uri(String login) {
        return "{uri: \"redis://" + login + REDIS.address() + "\"}";
    }

    @Test
    void reachesAServerWithAllPermissions() {
        assertThat(check(uri("")))
                .contains(
                        "reached: redis " + REDIS.address() + "\n",
                        "reached: redis " + REDIS.address() + ", permissions of ledger\n",
                        "reached: redis " + REDIS.address() + ", permissions of rooms and limits\n")
                .doesNotContain("not reached: redis");
    }

    @Test
    void namesEachMissingPermission() {
        REDIS.cli("acl", "setuser", "tenant:a@b", "on", ">p@ss", "~*", "+@all", "-wait", "-zadd", "-script|load");

        assertThat(check(uri("tenant%3Aa%40b:p%40ss@")))
                .contains(
                        "not reached: redis " + REDIS.address()
                                + ", permissions of ledger: script|load: NOPERM: the user may not use"
                                + " the command script|load",
                        "wait: NOPERM: the user may not use the command wait",
                        "permissions of rooms and limits: zadd: NOPERM: the user may not use the command zadd");
    }

    /** Without the permission to remove the content of a key, the check removes the key. */
    @Test
    void leavesNoKeyBehind() {
        REDIS.cli("acl", "setuser", "adds", "on", ">p", "~*", "+@all", "-hdel", "-lpop", "-zpopmin", "-del");

        assertThat(check(uri("adds:p@"))).contains("hdel: NOPERM", "lpop: NOPERM", "zpopmin: NOPERM", "del: NOPERM");
    }

    @Test
    void selectsTheDatabaseOfTheUri() {
        REDIS.cli("acl", "setuser", "first", "on", ">p", "~*", "+@all", "-select");

        assertThat(check("{uri: \"redis://" + REDIS.address() + "/3\"}")).doesNotContain("not reached: redis");
        assertThat(check("{uri: \"redis://" + REDIS.address() + "/99\"}"))
                .contains("ERR: the server has no database of this number");
        assertThat(check("{uri: \"redis://first:p@" + REDIS.address() + "/3\"}"))
                .contains("NOPERM: the user may not use the command select");
        assertThat(check("{uri: \"redis://" + CLUSTER.address() + "/3\", cluster: true}"))
                .containsAnyOf("a Cluster has only the database 0", "the server has no database of this number");
    }

    @Test
    void namesAMissingPermissionForKeys() {
        REDIS.cli("acl", "setuser", "keys", "on", ">p", "~postern:*", "+@all");

        assertThat(check(uri("keys:p@")))
                .contains(
                        "permissions of ledger: evalsha: NOPERM: the user may not use one of the keys",
                        "\nreached: redis " + REDIS.address() + ", permissions of rooms and limits");
    }

    @Test
    void namesOtherFaults() {
        assertThat(check(uri("none:wrong@")))
                .contains("not reached: redis " + REDIS.address() + ": WRONGPASS: the server refuses");
        assertThat(check("{uri: \"redis://" + REDIS.address() + "\", cluster: true}"))
                .contains("no node of a Cluster (expected: one, or redis.cluster: false)");
        assertThat(check("{uri: \"redis://" + CLUSTER.address() + "\"}"))
                .contains("a node of a Cluster (expected: redis.cluster: true)");
        assertThat(check("{uri: \"redis://" + CLUSTER.address() + "\", cluster: true}"))
                .doesNotContain("not reached: redis");
        assertThat(check("{uri: \"redis://127.0.0.1:1\"}"))
                .contains("not reached: redis 127.0.0.1:1: the connection was refused");
        REDIS.cli("config", "set", "maxmemory-policy", "allkeys-lru");
        assertThat(check(uri("")))
                .contains("not reached: redis " + REDIS.address() + ", memory: maxmemory-policy: allkeys-lru");
        REDIS.cli("replicaof", "127.0.0.1", "1");
        assertThat(check(uri(""))).contains("a replica (expected: a master)");
    }

    @Test
    void namesWhyTheServerRefusesPermittedCommands() {
        REDIS.cli("config", "set", "maxmemory", "1");
        assertThat(check(uri("")))
                .contains("permissions of ledger: OOM: the memory of the server is full (maxmemory)\n")
                .contains("permissions of rooms and limits: OOM: the memory of the server is full (maxmemory)\n");
        REDIS.cli("config", "set", "maxmemory", "0");
        REDIS.cli("config", "set", "min-replicas-to-write", "1");
        assertThat(check(uri(""))).contains("permissions of ledger: NOREPLICAS: the server has fewer replicas");
    }

    /** Some servers that speak this protocol do not say how they use their memory. */
    @Test
    void namesAServerThatDoesNotShowItsMemory() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> respond(server), "info");
            thread.start();

            assertThat(check("{uri: \"redis://127.0.0.1:" + server.getLocalPort() + "\"}"))
                    .contains(", memory: INFO: no evicted_keys (expected: that of a Redis)");
        }
    }

    /** Responds to each command with an INFO. */
    private static void respond(ServerSocket server) {
        String info = "role:master\r\ncluster_enabled:0\r\n";
        byte[] response = ("$" + info.length() + "\r\n" + info + "\r\n").getBytes(US_ASCII);
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    if (line.startsWith("*")) {
                        socket.getOutputStream().write(response);
                    }
                }
            } catch (IOException e) {
                // the check, or the test, has ended
            }
        }
    }

    @Test
    void asksSentinelsForTheMaster() {
        assertThat(check("{uri: \"redis://127.0.0.1:1\", sentinel: {master: main, nodes: [\"" + REDIS.address()
                        + "\"]}}"))
                .contains("not reached: sentinel " + REDIS.address()
                        + ": ERR: the server does not have the command sentinel");
    }
}
