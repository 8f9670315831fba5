package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Redis as a store: one server, or a Cluster of three masters of which one is the victim; the test starts and stops the servers. */
final class RedisStore implements RacedStore {

    private static final int MEBIBYTES = 4;
    private static final String VALUE = "x".repeat(1_000);

    private static final int JUNK = 3 * MEBIBYTES * 1_000;

    private static final int AT_ONCE = 100;

    private final Supplier<List<ServerProcess>> servers;
    private final boolean cluster;

    /** @param servers one, or the masters of a Cluster */
    RedisStore(Supplier<List<ServerProcess>> servers, boolean cluster) {
        this.servers = servers;
        this.cluster = cluster;
    }

    @Override
    public String ledger() {
        return "{store: redis, deadline: " + DEADLINE + "}";
    }

    @Override
    public String furtherConfiguration() {
        return "redis: {uri: \"redis://" + servers.get().get(0).address() + "\", cluster: " + cluster + "}\n";
    }

    @Override
    public void start(Path folder) {}

    @Override
    public ServerProcess victim() {
        List<ServerProcess> all = servers.get();
        return all.get(all.size() - 1);
    }

    @Override
    public void fill() {
        cli("config set maxmemory " + MEBIBYTES + "mb");
        cli("config resetstat");
        send(i -> "SET junk:" + i + " " + VALUE + "\r\n");
        if (!cli("info errorstats").contains("errorstat_OOM")) {
            throw new IllegalStateException("all stored (expected: out of memory)");
        }
    }

    @Override
    public void clear() {
        send(i -> "DEL junk:" + i + "\r\n");
    }

    private void send(IntFunction<String> command) {
        try (RawClient junk = new RawClient(victim().port())) {
            junk.send("CLIENT REPLY OFF\r\n");
            StringBuilder commands = new StringBuilder();
            // A master of a Cluster refuses keys of other masters.
            for (int i = 0; i < JUNK * servers.get().size(); i++) {
                commands.append(command.apply(i));
                if ((i + 1) % AT_ONCE == 0) {
                    junk.send(commands.toString());
                    commands.setLength(0);
                }
            }
            junk.send("CLIENT REPLY ON\r\n").readBytes(5);
        }
    }

    /** A master of a Cluster serves again only some seconds after its restart, independently of gateways. */
    @Override
    public void awaitServing() {
        if (cluster) {
            servers.get().forEach(each -> RedisClusterExtension.await(each, "cluster info", "cluster_state:ok"));
        }
    }

    private String cli(String command) {
        String words = "-p " + victim().port() + " " + command;
        return RedisClusterExtension.cli(words.split(" ", -1));
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return cluster ? "Redis Cluster" : "Redis";
    }
}
