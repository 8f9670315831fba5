package dev.postern.load.jmh;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.Embedded;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.auth.spend.LedgerSettings.Store;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.HostPort;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRedis;
import dev.postern.core.transport.Transport;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.worker.ClosedLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ledger of the gateway that spends fresh tokens as fast as one event loop can. */
public final class LedgerLoad implements SpendListener, AutoCloseable {
    /** As many spends as a busy gateway has on their way at once. */
    public static final int AT_ONCE = 256;

    private static final int MAX_LOOKS = 1_000;

    private final EventLoopGroup group = Transport.open(Transport.Kind.AUTO).eventLoops(1);
    private final EventLoop loop = group.next();
    private final SpendLedger ledger;
    private @Nullable ClosedLoop spends;

    private LedgerLoad(LedgerSettings settings, int redisPort) {
        // Its deadline is never exceeded: a response that is not FRESH ends the measurement.
        ledger = SpendLedgers.open(
                KeyDefaults.with(settings, Map.of("deadline", Duration.ofSeconds(5))),
                new LedgerEnvironment(
                        "default",
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        Ticker.systemTicker(),
                        List.of(loop),
                        TestRedis.of("redis://127.0.0.1:" + redisPort)));
        awaitHealthy();
    }

    /** Waits for the stores: until it has their epoch, the ledger knows no token as fresh. */
    private void awaitHealthy() {
        for (int i = 0; !ledger.health().healthy(); i++) {
            if (i == MAX_LOOKS) {
                throw new IllegalStateException("ledger: " + stores() + " (expected: healthy)");
            }
            Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(10));
        }
    }

    public static LedgerLoad memcached(Client client, int port) {
        return new LedgerLoad(
                KeyDefaults.of(
                        LedgerSettings.class,
                        Map.of(
                                "store",
                                Store.MEMCACHED,
                                "memcached",
                                KeyDefaults.of(
                                        Memcached.class,
                                        Map.of(
                                                "client",
                                                client,
                                                "servers",
                                                List.of(HostPort.of("127.0.0.1:" + port)))))),
                0);
    }

    public static LedgerLoad redis(int port) {
        return new LedgerLoad(KeyDefaults.of(LedgerSettings.class, Map.of("store", Store.REDIS)), port);
    }

    public static LedgerLoad embedded(Path journal) {
        return new LedgerLoad(
                KeyDefaults.of(LedgerSettings.class, Map.of("embedded", new Embedded(ByteSize.of("1GiB"), journal))),
                0);
    }

    /** Returns tokens that are not spent yet. */
    public List<Redemption> fresh(int count) {
        byte[] epoch = ledger.epoch();
        Instant end = Instant.now().plusSeconds(600);
        return Stream.generate(() -> {
                    byte[] key = new byte[Redemption.KEY_LENGTH];
                    ThreadLocalRandom.current().nextBytes(key);
                    return new Redemption(key, end, epoch);
                })
                .limit(count)
                .toList();
    }

    /** Spends all tokens, so many at once. */
    public void spend(List<Redemption> tokens, int atOnce) {
        Iterator<Redemption> unspent = tokens.iterator();
        ClosedLoop all = new ClosedLoop(running -> {
            if (unspent.hasNext()) {
                ledger.spend(unspent.next(), loop, this);
                return true;
            }
            return false;
        });
        spends = all;
        all.run(loop, atOnce);
    }

    @Override
    public void responded(PendingSpend pendingSpend) {
        ClosedLoop all = Objects.requireNonNull(spends, "response before a spend");
        if (pendingSpend.result() == SpendResult.FRESH) {
            all.responded();
        } else {
            all.fail("result: " + pendingSpend.result() + " (expected: FRESH)");
        }
    }

    /** Returns the ledger's description of its stores. */
    public String stores() {
        return String.valueOf(ledger.health().stores());
    }

    @Override
    public void close() {
        ledger.close();
        group.shutdownGracefully();
    }
}
