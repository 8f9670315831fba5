package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests when login and certificates are read, beside the connections that need them. */
class LineConnectorTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<String> done = new ArrayList<>();
    private CompletableFuture<RedisClients.Line> attempt = new CompletableFuture<>();
    private boolean open = true;

    private LineConnector connector(boolean cluster) {
        RedisClients clients = new RedisClients(
                () -> {
                    done.add("connect");
                    return attempt;
                },
                () -> CompletableFuture.completedFuture(null));
        return new LineConnector(clients, () -> done.add("read"), cluster, ticker);
    }

    @SuppressWarnings("unchecked")
    private RedisClients.Line line() {
        return new RedisClients.Line(
                silent(StatefulConnection.class), silent(RedisScriptingAsyncCommands.class), () -> open, () -> {});
    }

    /** Returns an object whose methods do nothing. */
    private static <T> T silent(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null));
    }

    private void pass(LineConnector connector, long millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
        connector.maintain();
    }

    @Test
    void readsBeforeItConnects() {
        LineConnector connector = connector(false);
        connector.maintain();
        assertThat(done).containsExactly("read", "connect");

        pass(connector, 5_000);
        assertThat(done).as("an attempt is under way").hasSize(2);
    }

    @Test
    void readsBeforeEachAttempt() {
        LineConnector connector = connector(false);
        attempt = CompletableFuture.failedFuture(new RedisException("WRONGPASS no"));
        connector.maintain();
        pass(connector, 249);
        assertThat(done).hasSize(2);
        pass(connector, 1);
        assertThat(done).containsExactly("read", "connect", "read", "connect");
    }

    @Test
    void readsBeforeALostConnectionIsReplaced() {
        LineConnector connector = connector(false);
        attempt = CompletableFuture.completedFuture(line());
        connector.maintain();
        pass(connector, 60_000);
        assertThat(done).as("an open connection needs no files").hasSize(2);

        open = false;
        pass(connector, 200);
        assertThat(done).containsExactly("read", "connect", "read", "connect");
    }

    @Test
    void readsOnceASecondForTheConnectionsThatTheClientOfAClusterMakes() {
        LineConnector connector = connector(true);
        attempt = CompletableFuture.completedFuture(line());
        connector.maintain();
        for (int i = 0; i < 10; i++) {
            pass(connector, 200);
        }
        assertThat(done).containsExactly("read", "connect", "read", "read");
    }

    @Test
    void saysWhyThereIsNoConnection() {
        LineConnector connector = connector(false);
        assertThat(connector.explained()).as("before the first attempt").isFalse();
        attempt = CompletableFuture.failedFuture(new RedisException("WRONGPASS no"));
        connector.maintain();
        assertThat(connector.current()).isNull();
        assertThat(connector.explained()).isTrue();

        attempt = CompletableFuture.completedFuture(line());
        pass(connector, 250);
        assertThat(connector.current()).isNotNull();
        assertThat(connector.trouble()).isEmpty();

        open = false;
        attempt = new CompletableFuture<>();
        pass(connector, 250);
        assertThat(connector.explained()).as("a lost connection names no cause").isFalse();
        assertThat(connector.trouble()).isNotEmpty();
    }

    @Test
    void aClientThatThrowsIsAnAttemptThatFailed() {
        LineConnector connector = new LineConnector(
                new RedisClients(
                        () -> {
                            throw new RedisException("no thread");
                        },
                        () -> CompletableFuture.completedFuture(null)),
                () -> done.add("read"),
                false,
                ticker);
        connector.maintain();
        pass(connector, 250);
        assertThat(done).containsExactly("read", "read");
    }

    @Test
    void closesAConnectionThatIsMadeAfterTheEnd() {
        LineConnector connector = connector(false);
        connector.maintain();
        CompletableFuture<Void> closed = connector.close().toCompletableFuture();
        assertThat(closed).as("an attempt is under way").isNotDone();
        attempt.complete(line());
        assertThat(connector.current()).isNull();
        assertThat(closed).isDone();
        pass(connector, 60_000);
        assertThat(done).as("connects no more").containsExactly("read", "connect");
    }

    @Test
    void theEndClosesTheConnection() {
        LineConnector connector = connector(false);
        attempt = CompletableFuture.completedFuture(line());
        connector.maintain();
        assertThat(connector.close().toCompletableFuture()).isDone();
        assertThat(connector.current()).isNull();
    }
}
