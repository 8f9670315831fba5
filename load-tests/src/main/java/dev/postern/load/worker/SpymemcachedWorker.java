package dev.postern.load.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedClient;

/**
 * Spymemcached worker: adds keys as fast as spymemcached alone can, used as its manual shows: {@code add} and a
 * listener. Argument: memcached's port. A question is a number of keys, its response their {@link Cost}; keys are made
 * before the clock starts.
 */
public final class SpymemcachedWorker {
    private static final int SECONDS = 600;

    private final MemcachedClient client;
    private final byte[] value = new byte[16];

    private SpymemcachedWorker(MemcachedClient client) {
        this.client = client;
    }

    public static void main(String... arguments) throws IOException {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
        MemcachedClient client = new MemcachedClient(
                new ConnectionFactoryBuilder()
                        .setFailureMode(FailureMode.Cancel)
                        .setDaemon(true)
                        .build(),
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))));
        try {
            SpymemcachedWorker worker = new SpymemcachedWorker(client);
            Worker.serve(question -> worker.add(Integer.parseInt(question)).line());
        } finally {
            client.shutdown();
        }
    }

    private Cost add(int count) {
        String[] keys = new String[count];
        byte[] key = new byte[16];
        for (int i = 0; i < count; i++) {
            ThreadLocalRandom.current().nextBytes(key);
            keys[i] = "bare:1:" + HexFormat.of().formatHex(key);
        }
        Semaphore outstanding = new Semaphore(Outstanding.AT_ONCE);
        CountDownLatch responses = new CountDownLatch(count);
        return Cost.of(() -> {
            for (String one : keys) {
                outstanding.acquireUninterruptibly();
                client.add(one, SECONDS, value).addListener(future -> {
                    outstanding.release();
                    responses.countDown();
                });
            }
            Outstanding.await(responses);
            return count;
        });
    }
}
