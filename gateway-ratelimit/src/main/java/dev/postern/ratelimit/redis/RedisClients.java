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
 * Makes connections to one Redis, or to the servers of a Cluster as if they were one.
 *
 * @param connect looks for the servers, which may take a while
 * @param shutdown of the client, done when its connections are closed
 */
record RedisClients(Supplier<CompletionStage<Line>> connect, Supplier<CompletableFuture<Void>> shutdown) {

    /** A server that took over is found within about this. */
    private static final Duration REFRESH = Duration.ofSeconds(1);

    /**
     * A connection, as far as scripts need it.
     *
     * @param open whether it is known to be up
     * @param flush sends what was written
     */
    record Line(
            StatefulConnection<String, String> connection,
            RedisScriptingAsyncCommands<String, String> scripts,
            BooleanSupplier open,
            Runnable flush) {}

    static RedisClients single(ClientResources resources, String uri, ClientOptions.Builder options) {
        RedisURI address = RedisURI.create(uri);
        RedisClient client = RedisClient.create(resources);
        client.setOptions(options.build());
        return new RedisClients(
                () -> client.connectAsync(StringCodec.UTF8, address).thenApply(made -> {
                    made.setAutoFlushCommands(false);
                    return new Line(made, made.async(), made::isOpen, made::flushCommands);
                }),
                () -> client.shutdownAsync(0, 1, TimeUnit.SECONDS));
    }

    /** Each call goes to the server that has the slot of its keys. */
    static RedisClients cluster(ClientResources resources, String uri, ClusterClientOptions.Builder options) {
        RedisClusterClient client = RedisClusterClient.create(resources, uri);
        client.setOptions(options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .build())
                .build());
        // Sent at once: a call that opens the way to its server would miss a flush by hand. And always open: one of
        // many
        // servers may be away, so what becomes of calls says more than the connection does.
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
        // One that is away is tried again when it is needed.
        return CompletableFuture.allOf(masters).handle((all, failure) -> made);
    }
}
