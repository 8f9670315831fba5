package dev.postern.load.jmh;

import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Redemption;
import dev.postern.load.measure.Cost;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedClient;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Spends of fresh tokens in memcached, which are made before the clock starts: over the gateway's own ledger, over
 * spymemcached alone, and as fast as the server can.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OperationsPerInvocation(Spends.COUNT)
public class Spends {
    static final int COUNT = 102_400;

    private static final int WARM_UPS = 5;
    private static final int COUNTED = 3;

    /** Spends of each invocation, the next one first. */
    private static <T> Deque<T> each(Supplier<T> spends) {
        return new ArrayDeque<>(
                Stream.generate(spends).limit(WARM_UPS + COUNTED).toList());
    }

    /** Returns the cost of a spend over the ledger, so many at once. */
    public static Cost ledger(RunFolder folder, int port, String client, int atOnce) {
        return cost(folder, "ledger", port, Map.of("client", client, "atOnce", String.valueOf(atOnce)));
    }

    /** Returns the cost of a spend over spymemcached alone. */
    public static Cost bare(RunFolder folder, int port) {
        return cost(folder, "bare", port, Map.of());
    }

    /** Returns the cost of a spend that is written before the clock starts: no client can be faster. */
    public static Cost limit(RunFolder folder, int port) {
        return cost(folder, "limit", port, Map.of());
    }

    private static Cost cost(RunFolder folder, String method, int port, Map<String, String> parameters) {
        return Jmh.cost(
                folder,
                Jmh.options(Spends.class, method)
                        .warmupIterations(WARM_UPS)
                        .measurementIterations(COUNTED)
                        .param("port", String.valueOf(port)),
                parameters);
    }

    /** The gateway's ledger. */
    @State(Scope.Benchmark)
    public static class Ledger {
        @Param("0")
        public int port;

        @Param("NETTY")
        public Client client = Client.NETTY;

        @Param("256")
        public int atOnce;

        @SuppressWarnings("NullAway.Init") // JMH calls open first.
        private LedgerLoad load;

        private Deque<List<Redemption>> tokens = new ArrayDeque<>();

        @Setup
        public void open() {
            load = LedgerLoad.memcached(client, port);
            tokens = each(() -> load.fresh(COUNT));
        }

        @TearDown
        public void close() {
            load.close();
        }
    }

    /** Spymemcached alone, used as its manual shows: {@code add} and a listener. */
    @State(Scope.Benchmark)
    public static class Bare {
        private static final int SECONDS = 600;

        @Param("0")
        public int port;

        private final byte[] value = new byte[16];

        @SuppressWarnings("NullAway.Init") // JMH calls open first.
        private MemcachedClient client;

        private Deque<List<String>> keys = new ArrayDeque<>();

        @Setup
        public void open() throws IOException {
            System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
            client = new MemcachedClient(
                    new ConnectionFactoryBuilder()
                            .setFailureMode(FailureMode.Cancel)
                            .setDaemon(true)
                            .build(),
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            keys = each(() -> Stream.generate(Bare::key).limit(COUNT).toList());
        }

        private static String key() {
            byte[] key = new byte[16];
            ThreadLocalRandom.current().nextBytes(key);
            return "bare:1:" + HexFormat.of().formatHex(key);
        }

        @TearDown
        public void close() {
            client.shutdown();
        }
    }

    /** Connection for adds in chunks, two chunks ahead of their responses. */
    @State(Scope.Benchmark)
    public static class Limit {
        private static final int STORED = "STORED\r\n".length();
        private static final int CHUNK = LedgerLoad.AT_ONCE / 2;

        @Param("0")
        public int port;

        @SuppressWarnings("NullAway.Init") // JMH calls open first.
        private Socket socket;

        private Deque<List<byte[]>> chunks = new ArrayDeque<>();

        @Setup
        public void open() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            chunks = each(
                    () -> Stream.generate(Limit::chunk).limit(COUNT / CHUNK).toList());
        }

        /** Returns adds with keys and marks as long as those of a ledger. */
        private static byte[] chunk() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < CHUNK; i++) {
                text.append("add bench:1:%022x 0 602 16\r\n0123456789abcdef\r\n"
                        .formatted(ThreadLocalRandom.current().nextLong()));
            }
            return text.toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        @TearDown
        public void close() throws IOException {
            socket.close();
        }
    }

    @Benchmark
    public void ledger(Ledger ledger) {
        ledger.load.spend(ledger.tokens.remove(), ledger.atOnce);
    }

    @Benchmark
    public void bare(Bare bare) {
        Semaphore free = new Semaphore(LedgerLoad.AT_ONCE);
        for (String key : bare.keys.remove()) {
            free.acquireUninterruptibly();
            bare.client.add(key, Bare.SECONDS, bare.value).addListener(added -> free.release());
        }
        free.acquireUninterruptibly(LedgerLoad.AT_ONCE);
    }

    @Benchmark
    public void limit(Limit limit) throws IOException {
        List<byte[]> chunks = limit.chunks.remove();
        OutputStream out = limit.socket.getOutputStream();
        InputStream in = limit.socket.getInputStream();
        int length = Limit.CHUNK * Limit.STORED;
        out.write(chunks.get(0));
        for (int i = 1; i <= chunks.size(); i++) {
            if (i < chunks.size()) {
                out.write(chunks.get(i));
            }
            if (in.readNBytes(length).length < length) {
                throw new IOException("closed by memcached");
            }
        }
    }
}
