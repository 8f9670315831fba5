package dev.postern.core.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a Redis without persistence: {@code redis-server}, or the program that TEST_REDIS names. */
public final class RedisExtension extends ServerExtension {

    private @Nullable Client client;

    /** @param options further arguments of the server, which replace earlier ones */
    public RedisExtension(String... options) {
        super(process(ServerProcess.freePort(), options));
    }

    /** Creates a server that is not started. */
    public static ServerProcess process(int port, String... options) {
        return process("127.0.0.1", port, options);
    }

    /** Creates a server at a loopback address; not started. It accepts clients without a password. */
    public static ServerProcess process(String host, int port, String... options) {
        List<String> all = new ArrayList<>(List.of("--bind", host, "--port", "{port}", "--protected-mode", "no"));
        all.addAll(List.of("--save", "", "--appendonly", "no"));
        all.addAll(List.of("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"));
        all.addAll(List.of("--repl-diskless-load", "swapdb"));
        all.addAll(List.of(options));
        return new ServerProcess(host, program(), port, all.toArray(String[]::new));
    }

    /** Returns the name or path of the server's program. */
    public static String program() {
        return Optional.ofNullable(System.getenv("TEST_REDIS"))
                .filter(path -> !path.isEmpty())
                .orElse("redis-server");
    }

    /** Makes the server a replica of another one at 127.0.0.1. */
    public void follow(RedisExtension master) {
        cli("replicaof", "127.0.0.1", Integer.toString(master.server().port()));
    }

    /** Makes the server a replica of another one, and waits until it has all data. */
    public void copy(RedisExtension master) {
        follow(master);
        RedisClusterExtension.await(master.server(), "info replication", "state=online");
    }

    /** Makes the server a master. */
    public void lead() {
        cli("replicaof", "no", "one");
    }

    /** Runs a command on a server and returns the output of {@code redis-cli}. */
    public static String cli(ServerProcess server, String... words) {
        return RedisClusterExtension.cli(
                Stream.concat(Stream.of("-p", Integer.toString(server.port())), Stream.of(words))
                        .toArray(String[]::new));
    }

    /** Runs a command on this server and returns the output of {@code redis-cli}. */
    public String cli(String... words) {
        return cli(server(), words);
    }

    /** Returns a number of the server's information, such as {@code used_memory} of the section {@code memory}. */
    public long info(String section, String name) {
        return cli("info", section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns a connection, opened by the first call and closed after the last test of the class. */
    public StatefulRedisConnection<String, String> connection() {
        Client current = client;
        if (current == null) {
            RedisClient redis = RedisClient.create("redis://" + address());
            current = new Client(redis, redis.connect());
            client = current;
        }
        return current.connection;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Client current = client;
        if (current != null) {
            current.redis.shutdown();
            client = null;
        }
        super.afterAll(context);
    }

    private record Client(RedisClient redis, StatefulRedisConnection<String, String> connection) {}
}
