package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connection without a server: keeps sent commands until the test responds. */
final class FakeRedis {

    static final String MASTER = info("0a1b", "master", 0);

    final StatefulRedisConnection<byte[], byte[]> connection = proxy(StatefulRedisConnection.class, this::connection);
    volatile boolean open = true;
    volatile boolean closed;
    private volatile int accept = Integer.MAX_VALUE;
    private final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger flushes = new AtomicInteger();
    volatile boolean autoFlush = true;

    private final RedisAsyncCommands<byte[], byte[]> commands = proxy(RedisAsyncCommands.class, this::command);
    private final BlockingQueue<Call> handler = new LinkedBlockingQueue<>();

    /** Command and its pending response. */
    record Call(String name, List<Object> arguments, CompletableFuture<Object> response) {

        boolean runs(Scripts.Script script) {
            return name.equals("evalsha") && arguments.get(0).equals(script.name());
        }

        boolean runsText(Scripts.Script script) {
            return name.equals("eval") && arguments.get(0).equals(script.text());
        }

        byte[] key(int index) {
            return ((byte[][]) arguments.get(2))[index];
        }

        byte[] value(int index) {
            return ((byte[][]) arguments.get(3))[index];
        }
    }

    /** Accepts that many more commands, and refuses the others. */
    void accept(int commands) {
        taken.set(0);
        accept = commands;
    }

    /** Returns the first command that was sent and not returned yet; waits for a command of another thread. */
    Call next() {
        try {
            return Objects.requireNonNull(handler.poll(10, TimeUnit.SECONDS), "no command was sent");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Call next(String name) {
        Call call = next();
        if (!call.name.equals(name)) {
            throw new AssertionError(call.name + " (expected: " + name + ")");
        }
        return call;
    }

    int waiting() {
        return handler.size();
    }

    /** Counts commands of that name that were not returned yet. */
    long count(String name) {
        return handler.stream().filter(call -> call.name.equals(name)).count();
    }

    void drop(String name) {
        handler.removeIf(call -> call.name.equals(name));
    }

    static String info(String run, String role, int replicas) {
        return "run_id:" + run + "\r\nrole:" + role + "\r\nconnected_slaves:" + replicas
                + "\r\nevicted_keys:7\r\nmaxmemory_policy:noeviction\r\n";
    }

    private @Nullable Object connection(String name, List<Object> arguments) {
        switch (name) {
            case "async":
                return commands;
            case "isOpen":
                return open;
            case "closeAsync":
                closed = true;
                return CompletableFuture.completedFuture(null);
            case "setAutoFlushCommands":
                autoFlush = (Boolean) arguments.get(0);
                return null;
            case "flushCommands":
                flushes.incrementAndGet();
                return null;
            default:
                throw new UnsupportedOperationException(name);
        }
    }

    private Object command(String name, List<Object> arguments) {
        if (taken.incrementAndGet() > accept) {
            throw new RedisException("planted");
        }
        PipelinedRedisFuture<Object> response = new PipelinedRedisFuture<>(new CompletableFuture<>());
        handler.add(new Call(name, arguments, response));
        return response;
    }

    /** Handler of calls. */
    @FunctionalInterface
    private interface CallHandler {

        @Nullable
        Object call(String name, List<Object> arguments);
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<?> type, CallHandler calls) {
        InvocationHandler handler = (self, method, arguments) -> {
            List<Object> list = new ArrayList<>();
            for (Object each : arguments == null ? new Object[0] : arguments) {
                list.add(each);
            }
            return calls.call(method.getName(), list);
        };
        return (T) Proxy.newProxyInstance(FakeRedis.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
