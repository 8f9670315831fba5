package dev.postern.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Redis clients for a single server and for a Cluster, with the same interface.
 *
 * @param connect connects; for a Cluster, reads the topology before
 * @param shutdown shuts the client down; completes when its connections are closed
 */
record RedisClients(Supplier<CompletionStage<Line>> connect, Supplier<CompletableFuture<Void>> shutdown) {

    /** Period of topology refreshes: approximate time until a failover is detected. */
    private static final Duration REFRESH = Duration.ofSeconds(1);

    /**
     * Line to Redis: a connection with the operations that scripts need.
     *
     * @param open returns whether the connection is open
     * @param flush sends all written commands
     */
    record Line(
            StatefulConnection<String, String> connection,
            RedisScriptingAsyncCommands<String, String> scripts,
            BooleanSupplier open,
            Runnable flush) {}

    static RedisClients single(ClientResources resources, RedisURI uri, ClientOptions.Builder options) {
        RedisClient client = RedisClient.create(resources);
        // A lost connection is replaced by a new one, like one that the rule condemns.
        client.setOptions(options.autoReconnect(false).build());
        return new RedisClients(
                () -> client.connectAsync(StringCodec.UTF8, uri).thenApply(made -> {
                    made.setAutoFlushCommands(false);
                    return new Line(made, made.async(), made::isOpen, made::flushCommands);
                }),
                () -> client.shutdownAsync(0, 1, TimeUnit.SECONDS));
    }

    /** Returns a client for a Cluster; each call is sent to the server with the slot of its keys. */
    static RedisClients cluster(ClientResources resources, RedisURI uri, ClusterClientOptions.Builder options) {
        RedisClusterClient client = RedisClusterClient.create(resources, uri);
        client.setOptions(options.autoReconnect(true)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .build())
                .build());
        // Flush per command: a call that opens the connection to its server would miss an explicit flush. Always
        // reported as open: one of many servers may be away, so only the results of calls show the state.
        return new RedisClients(
                () -> client.refreshPartitionsAsync()
                        .thenCompose(found -> client.connectAsync(StringCodec.UTF8))
                        .thenCompose(RedisClients::reachAll)
                        .thenApply(made -> new Line(made, made.async(), () -> true, () -> {})),
                () -> client.shutdownAsync(0, 1, TimeUnit.SECONDS));
    }

    /** Connects to all masters, since a call to a server that is not connected yet is refused. */
    private static CompletionStage<StatefulRedisClusterConnection<String, String>> reachAll(
            StatefulRedisClusterConnection<String, String> made) {
        CompletableFuture<?>[] masters = made.getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM))
                .map(node -> made.getConnectionAsync(
                        node.getUri().getHost(), node.getUri().getPort()))
                .toArray(CompletableFuture<?>[]::new);
        // A server that is away is connected when a call needs it.
        return CompletableFuture.allOf(masters).handle((all, failure) -> made);
    }
}
