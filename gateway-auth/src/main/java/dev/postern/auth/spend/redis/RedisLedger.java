package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.InFlightLimit;
import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.dns.NameServers;
import dev.postern.core.redis.RedisTarget;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.MicrometerCommandLatencyRecorder;
import io.lettuce.core.metrics.MicrometerOptions;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Ledger in Redis: runs one script per token, on the master that holds its key. */
public final class RedisLedger implements SpendLedger {

    private static final long MAINTAIN_EVERY_MILLIS = 20;
    private static final int CLOSE_SECONDS = 2;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final int ATTEMPT_LENGTH = 16;

    /** Time for which the server keeps a key longer than the token is accepted. */
    private static final long MARGIN_MILLIS = 2_000;

    private final InstantSource clock;
    private final long deadlineNanos;
    private final Runnable onClose;
    private final StoreResources resources;
    private final SpendKeys keys;
    private final RedisTopology topology;
    private final Refunds<PendingInsert> refunds;

    /**
     * @param server the configured server, or a node of the Cluster
     * @param onClose shuts down the Lettuce client
     */
    RedisLedger(
            RedisServer.Address server,
            StoreResources resources,
            RedisServer.Connector connector,
            SpendKeys keys,
            InstantSource clock,
            Runnable onClose) {
        this.clock = clock;
        this.onClose = onClose;
        this.resources = resources;
        this.keys = keys;
        this.deadlineNanos = resources.deadline().toNanos();
        // A frozen server accepts connections and never responds. The time-out of the handshake, which says more, is
        // first.
        server.uri().setTimeout(server.uri().isSsl() ? RedisTarget.HANDSHAKE.plus(CONNECT) : CONNECT);
        this.topology = new RedisTopology(server, address -> new RedisServer(address, resources, connector, keys));
        this.refunds = new Refunds<>(resources, new RedisRefundCommand(topology, resources.scheduler()));
        resources
                .meters()
                .inFlight(() ->
                        topology.all().stream().mapToInt(RedisServer::inFlight).sum());
        resources.meters().mayEvict(() -> topology.all().stream().anyMatch(RedisServer::mayForget) ? 1 : 0);
    }

    /** @param deadline of a spend; the library's own timeout must not be shorter */
    static ClientOptions options(Duration deadline, SslOptions ssl) {
        return ClientOptions.builder()
                .sslOptions(ssl)
                .timeoutOptions(TimeoutOptions.enabled(deadline.plus(CONNECT)))
                // A connection belongs to one run of one server; a new connection is checked before use.
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(2 * InFlightLimit.MAX_IN_FLIGHT)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT)
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build())
                .build();
    }

    /** Opens the ledger and waits at most one second until the epoch markers of all masters are verified. Not for event loops. */
    public static RedisLedger open(LedgerSettings settings, LedgerEnvironment environment) {
        RedisSettings redis = Objects.requireNonNull(environment.redis(), "redis");
        MeterRegistry registry = environment.registry();
        InstantSource clock = environment.clock();
        RedisTarget target = new RedisTarget(redis);
        LettuceTarget lettuce = LettuceTarget.of(target);
        ClientResources resources = resources(environment);
        RedisClient client = RedisClient.create(resources);
        client.setOptions(options(settings.deadline(), lettuce.ssl()));
        // Client before resources: the library logs a stack trace when it still needs threads that are gone.
        RedisLedger ledger = new RedisLedger(
                new RedisServer.Address(target.name(), lettuce.uri(), redis.cluster()),
                StoreResources.open(SpendKeys.SHARDS, settings, registry, clock, environment.ticker()),
                uri -> {
                    target.read(); // on the ledger's thread
                    return client.connectAsync(ByteArrayCodec.INSTANCE, uri);
                },
                new SpendKeys(environment.namespace()),
                clock,
                () -> client.shutdownAsync(0, 1, TimeUnit.SECONDS)
                        .whenComplete((done, failure) -> resources.shutdown(0, 1, TimeUnit.SECONDS))
                        .exceptionally(failure -> null)
                        .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                        .join());
        ledger.resources.scheduler().start(ledger::maintain, MAINTAIN_EVERY_MILLIS, ledger.topology::complete);
        return ledger;
    }

    private static ClientResources resources(LedgerEnvironment environment) {
        ClientResources.Builder builder = ClientResources.builder()
                .commandLatencyRecorder(
                        new MicrometerCommandLatencyRecorder(environment.registry(), MicrometerOptions.create()))
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2);
        NameServers nameServers = environment.nameServers();
        return (nameServers == null ? builder : builder.addressResolverGroup(nameServers.stores())).build();
    }

    void maintain() {
        topology.maintain(resources.scheduler()::now, resources.scheduler().nanos());
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        Instant now = clock.instant();
        if (!redemption.acceptedUntil().isAfter(now) || resources.spent().contains(redemption.key())) {
            // The server may have forgotten an expired token already, so the token must not be FRESH.
            CompletedSpend.notify(listener, CompletedSpend.SPENT);
            return;
        }
        resources.state().asked(redemption.acceptedUntil());
        int shard = SpendKeys.shard(redemption.key());
        RedisServer server = topology.of(shard);
        byte[] marker = resources.state().marker(shard);
        if (server == null || marker.length == 0) {
            CompletedSpend.notify(listener, CompletedSpend.UNKNOWN);
            return;
        }
        byte[] epoch = redemption.epoch().length > 0
                ? redemption.epoch()
                : resources.state().epoch();
        long millis = Duration.between(now, redemption.acceptedUntil()).toMillis() + MARGIN_MILLIS;
        PendingInsert.Request request = new PendingInsert.Request(
                redemption,
                keys.token(redemption.key()),
                shard,
                marker,
                epoch,
                newAttempt(),
                Long.toString(millis).getBytes(US_ASCII));
        server.spend(request, loop, loop.ticker().nanoTime() + deadlineNanos, listener);
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return resources.spent().contains(key);
    }

    @Override
    public void refund(PendingSpend pendingSpend) {
        if (pendingSpend instanceof PendingInsert insert) {
            refunds.add(insert);
        }
    }

    @Override
    public byte[] epoch() {
        return resources.state().epoch().clone();
    }

    @Override
    public LedgerHealth health() {
        Map<String, String> stores = new TreeMap<>();
        topology.all().forEach(server -> stores.put(server.name(), server.state()));
        return new LedgerHealth(topology.complete(), stores);
    }

    @Override
    public void close() {
        resources.scheduler().close();
        topology.close();
        onClose.run();
    }

    private static byte[] newAttempt() {
        // Needs to be unique, not secret: only gateways write to the store.
        byte[] attempt = new byte[ATTEMPT_LENGTH];
        ThreadLocalRandom.current().nextBytes(attempt);
        return attempt;
    }
}
