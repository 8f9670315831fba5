package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.connect.FakeStream;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests connections that name one client by the PROXY protocol. */
class Http1PoolClientsTest {

    // ---- connections of one client (PROXY protocol)

    private static FakeWaiter client(int port) {
        return new FakeWaiter().from(new ProxyProtocolSource(new InetSocketAddress("192.0.2.1", port), null));
    }

    @Test
    void aConnectionThatNamesAClientServesThatClientAlone() {
        PoolFixture pool = new PoolSetup().proxyProtocol().http1();
        FakeWaiter first = pool.ask(client(1));
        pool.open(1);
        pool.finish(first);
        FakeWaiter other = pool.ask(client(2));
        assertThat(other.result()).isEqualTo("waits");
        assertThat(pool.ask(client(1)).result()).isEqualTo("#1 reused");
        pool.leave(other);
        FakeWaiter third = pool.ask(client(3));
        assertThat(pool.connects())
                .as("the connect for client 2 is not for client 3")
                .isEqualTo(3);
        pool.open(3);
        assertThat(third.result()).isEqualTo("#3");
    }

    @Test
    void aConnectionOfOneClientIsClosedWhileOthersWait() {
        PoolFixture pool = new PoolSetup().proxyProtocol().connections(1).http1();
        FakeWaiter first = pool.ask(client(1));
        FakeStream connection = pool.open(1);
        FakeWaiter same = pool.ask(client(1));
        FakeWaiter other = pool.ask(client(2));
        pool.finish(first);
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(same.result()).isEqualTo("#2");
        pool.finish(same);
        pool.open(3);
        assertThat(other.result()).isEqualTo("#3");
    }

    @Test
    void idleConnectionsOfClientsAreClosedLikeOthers() {
        PoolFixture pool = new PoolSetup()
                .proxyProtocol()
                .connections(2)
                .idle(Duration.ofSeconds(5))
                .http1();
        FakeWaiter first = pool.ask(client(1));
        FakeWaiter second = pool.ask(client(2));
        pool.open(1);
        FakeStream lost = pool.open(2);
        pool.finish(first, second);
        pool.lose(lost);
        assertThat(pool.counts()).isEqualTo("1 open, 1 idle, 0 queued");
        pool.pass(Duration.ofSeconds(6));
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
        assertThat(pool.ask(client(1)).result()).isEqualTo("waits");
    }

    @Test
    void anIdleConnectionOfAnotherClientGivesItsPermitToAWaiter() {
        PoolFixture pool = new PoolSetup().proxyProtocol().connections(1).http1();
        FakeWaiter first = pool.ask(client(1));
        FakeStream connection = pool.open(1);
        pool.finish(first);
        FakeWaiter other = pool.ask(client(2));
        assertThat(connection.closed()).isTrue();
        pool.open(2);
        assertThat(other.result()).isEqualTo("#2");
    }
}
