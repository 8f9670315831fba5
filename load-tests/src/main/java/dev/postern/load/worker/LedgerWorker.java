package dev.postern.load.worker;

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
import dev.postern.core.config.RedisSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ledger worker: spends fresh tokens over the gateway's own ledger as fast as one event loop can. Arguments:
 * {@code memcached PORT CLIENT}, {@code redis PORT} or {@code embedded FOLDER} with a folder for the journal. A
 * question is a number of tokens and how many of them are on their way at once, its response their {@link Cost}; tokens
 * are made before the clock starts. The response to {@code stores} is the ledger's description of its stores.
 */
public final class LedgerWorker implements SpendListener {
    private final SpendLedger ledger;
    private final EventLoop loop;
    private List<Redemption> tokens = List.of();
    private int next;
    private CountDownLatch responses = new CountDownLatch(0);

    private LedgerWorker(SpendLedger ledger, EventLoop loop) {
        this.ledger = ledger;
        this.loop = loop;
    }

    public static void main(String... arguments) throws IOException {
        EventLoopGroup group = Loops.one();
        EventLoop loop = group.next();
        LedgerEnvironment environment = new LedgerEnvironment(
                "default",
                new SimpleMeterRegistry(),
                InstantSource.system(),
                Ticker.systemTicker(),
                List.of(loop),
                RedisSettings.of("redis://127.0.0.1:" + arguments[1], false));
        try (SpendLedger ledger = SpendLedgers.open(settings(arguments), environment)) {
            LedgerWorker worker = new LedgerWorker(ledger, loop);
            Worker.serve(question -> {
                if (question.equals("stores")) {
                    return String.valueOf(ledger.health().stores());
                }
                String[] words = question.split(" ");
                return worker.spend(Integer.parseInt(words[0]), Integer.parseInt(words[1]))
                        .line();
            });
        } finally {
            group.shutdownGracefully();
        }
    }

    /** Returns settings with deadlines that are never exceeded: a response that is not FRESH ends the measurement. */
    private static LedgerSettings settings(String... arguments) {
        Store store = Store.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        LedgerSettings settings = LedgerSettings.of(store).with(Duration.ofSeconds(5));
        return switch (store) {
            case EMBEDDED -> settings.with(new Embedded(ByteSize.of("1GiB"), Path.of(arguments[1])));
            case MEMCACHED ->
                settings.with(Memcached.of(Client.valueOf(arguments[2]), List.of("127.0.0.1:" + arguments[1])));
            case REDIS -> settings;
        };
    }

    private Cost spend(int count, int atOnce) {
        tokens = made(count);
        next = 0;
        responses = new CountDownLatch(count);
        return Cost.of(() -> {
            loop.execute(() -> {
                for (int i = 0; i < Math.min(atOnce, count); i++) {
                    one();
                }
            });
            Outstanding.await(responses);
            return count;
        });
    }

    private void one() {
        if (next < tokens.size()) {
            ledger.spend(tokens.get(next++), loop, this);
        }
    }

    @Override
    public void responded(PendingSpend pendingSpend) {
        if (pendingSpend.result() != SpendResult.FRESH) {
            throw new IllegalStateException("result: " + pendingSpend.result() + " (expected: FRESH)");
        }
        responses.countDown();
        one();
    }

    private List<Redemption> made(int count) {
        byte[] epoch = ledger.epoch();
        Instant end = Instant.now().plusSeconds(600);
        List<Redemption> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[Redemption.KEY_LENGTH];
            ThreadLocalRandom.current().nextBytes(key);
            made.add(new Redemption(key, end, epoch));
        }
        return made;
    }
}
