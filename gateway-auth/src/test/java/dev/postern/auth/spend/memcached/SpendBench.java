package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendLedgers;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedClient;

/**
 * A small measurement, run by hand: the ledger over memcached beside a bare spymemcached {@code add} loop with its own listener, rounds in
 * turn on one server, CPU time of the whole process.
 */
public final class SpendBench {

    private static final int OUTSTANDING = 256;

    private SpendBench() {}

    /** @param arguments rounds, and operations a round */
    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 6;
        int operations = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (ServerProcess server = server()) {
            server.start();
            compare(server, group.next(), rounds, operations);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void compare(ServerProcess server, EventLoop loop, int rounds, int operations) throws IOException {
        LedgerSettings settings = Patient.of(Duration.ofSeconds(2), 1, server.address());
        MemcachedClient bare = bare(server);
        try (SpendLedger ledger =
                SpendLedgers.open(settings, "bench", new SimpleMeterRegistry(), InstantSource.system())) {
            for (int round = 0; round < rounds; round++) {
                report("ledger", operations, measured(() -> ledger(ledger, loop, operations)));
                report("bare  ", operations, measured(() -> bare(bare, operations)));
            }
            latency("ledger", () -> ledger(ledger, loop, 1));
            latency("bare  ", () -> bare(bare, 1));
        } finally {
            bare.shutdown();
        }
    }

    private static ServerProcess server() {
        return new ServerProcess(
                "memcached",
                ServerProcess.freePort(),
                "-l",
                "127.0.0.1",
                "-p",
                "{port}",
                "-U",
                "0",
                "-u",
                "nobody",
                "-M",
                "-m",
                "1024");
    }

    private static MemcachedClient bare(ServerProcess server) throws IOException {
        return new MemcachedClient(
                new ConnectionFactoryBuilder()
                        .setFailureMode(FailureMode.Cancel)
                        .setDaemon(true)
                        .build(),
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port())));
    }

    private static void ledger(SpendLedger ledger, EventLoop loop, int operations) {
        Semaphore outstanding = new Semaphore(OUTSTANDING);
        CountDownLatch done = new CountDownLatch(operations);
        for (int i = 0; i < operations; i++) {
            outstanding.acquireUninterruptibly();
            Redemption token = new Redemption(key(), Instant.now().plusSeconds(600));
            loop.execute(() -> ledger.spend(token, loop, attempt -> {
                if (attempt.result() != Spend.FRESH) {
                    throw new IllegalStateException("result: " + attempt.result() + " (expected: FRESH)");
                }
                outstanding.release();
                done.countDown();
            }));
        }
        await(done);
    }

    private static void bare(MemcachedClient client, int operations) {
        Semaphore outstanding = new Semaphore(OUTSTANDING);
        CountDownLatch done = new CountDownLatch(operations);
        byte[] value = new byte[16];
        for (int i = 0; i < operations; i++) {
            outstanding.acquireUninterruptibly();
            client.add("bare:1:" + HexFormat.of().formatHex(key()), 600, value).addListener(future -> {
                outstanding.release();
                done.countDown();
            });
        }
        await(done);
    }

    private static void await(CountDownLatch done) {
        try {
            if (!done.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(done.getCount() + " answers missing after 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] key() {
        byte[] key = new byte[Redemption.KEY_LENGTH];
        ThreadLocalRandom.current().nextBytes(key);
        return key;
    }

    private static long[] measured(Runnable work) {
        long cpu = cpuNanos();
        long start = System.nanoTime();
        work.run();
        return new long[] {System.nanoTime() - start, cpuNanos() - cpu};
    }

    private static void report(String name, int operations, long[] times) {
        System.out.printf(
                "%s %,9.0f op/s  %5.1f us CPU/op%n", name, operations * 1e9 / times[0], times[1] / 1e3 / operations);
    }

    private static void latency(String name, Runnable one) {
        long[] nanos = new long[5_000];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = measured(one)[0];
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%s alone: median %d us, p99 %d us%n",
                name, nanos[nanos.length / 2] / 1_000, nanos[nanos.length / 100 * 99] / 1_000);
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
