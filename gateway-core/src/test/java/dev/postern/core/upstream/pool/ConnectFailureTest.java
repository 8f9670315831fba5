package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what a connect that fails means for its exchange and its endpoint, which is ejected after five failures in a row. */
class ConnectFailureTest {

    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(new ConnectException("refused"), "upstream-refused", false),
                Arguments.of(new ConnectTimeoutException(), "upstream-connect-timeout", false),
                Arguments.of(new SslHandshakeTimeoutException("late"), "upstream-connect-timeout", false),
                Arguments.of(new SSLException("certificate"), "upstream-tls", false),
                Arguments.of(new UnknownHostException("app"), "upstream-unresolved", false),
                Arguments.of(new IOException("Too many open files"), "overloaded", true));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void theCauseDecidesTheRefusalAndWhetherTheEndpointIsAtFault(Exception cause, String code, boolean usable) {
        PoolFixture pool = new PoolSetup().http1();
        for (int i = 1; i <= 5; i++) {
            FakeWaiter waiter = pool.ask();
            pool.refuse(i, cause);
            assertThat(waiter.result()).isEqualTo(code + " of server-0:80");
        }
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        assertThat(pool.endpoint(0).health().usable(pool.now())).isEqualTo(usable);
        assertThat(pool.state().endpoints().down(pool.now())).isEqualTo(!usable);
    }

    @Test
    void aRefusedExchangeMayAskAgainAtOnce() {
        PoolFixture pool = new PoolSetup().endpoints(2).http1();
        FakeWaiter waiter = pool.ask(new FakeWaiter(), 0, pool.endpoint(0));
        pool.refuse(1);
        pool.ask(waiter, 0, pool.endpoint(1));
        pool.open(2);
        assertThat(waiter.result()).isEqualTo("upstream-refused of server-1:80, #2");
    }

    @Test
    void everyExchangeThatWaitsForTheConnectionIsRefused() {
        PoolFixture pool = new PoolSetup().http2();
        FakeWaiter first = pool.ask();
        FakeWaiter second = pool.ask();
        FakeWaiter left = pool.ask();
        pool.leave(left);
        pool.refuse(1);
        assertThat(first.result()).isEqualTo("upstream-refused of server-0:80");
        assertThat(second.result()).isEqualTo("upstream-refused of server-0:80");
        assertThat(left.result()).isEqualTo("waits");
    }

    @Test
    void theNextExchangeDoesNotWaitForAConnectThatFailed() {
        PoolFixture pool = new PoolSetup().http2();
        pool.ask();
        pool.refuse(1);
        FakeWaiter next = pool.ask();
        pool.open(2, 100);
        assertThat(next.result()).isEqualTo("#2");
    }
}
