package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.EndpointSet;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what exchanges get that came before their upstream was replaced by a reload, or its addresses changed. */
class RemovedEndpointTest {

    private static PoolFixture pool(boolean multiplexed) {
        PoolSetup setup = new PoolSetup().connections(1).streams(1);
        return multiplexed ? setup.http2() : setup.http1();
    }

    private static void open(PoolFixture pool, int number, boolean multiplexed) {
        if (multiplexed) {
            pool.open(number, 1);
        } else {
            pool.open(number);
        }
    }

    /** Does what an upstream does that a reload replaces. */
    private static void retire(PoolFixture pool) {
        pool.endpoint(0).retire();
        pool.pool(0).endpointsGone();
        pool.run();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExchangeThatConnectsGetsItsConnection(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed);
        FakeWaiter waiter = pool.ask();
        retire(pool);
        open(pool, 1, multiplexed);
        assertThat(waiter.result()).isEqualTo("#1");
        pool.finish(waiter);
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExchangeThatWaitsGetsANewConnection(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed);
        FakeWaiter first = pool.ask();
        open(pool, 1, multiplexed);
        FakeWaiter second = pool.ask();
        retire(pool);
        assertThat(first.result()).isEqualTo("#1");
        pool.finish(first);
        assertThat(second.result()).as("the old connection is not used again").isEqualTo("waits");
        open(pool, 2, multiplexed);
        assertThat(second.result()).isEqualTo("#2");
        pool.finish(second);
        assertThat(pool.counts()).isEqualTo("0 open, 0 idle, 0 queued");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExchangeThatWaitsIsRefusedAtItsOwnDeadline(boolean multiplexed) {
        PoolFixture pool = pool(multiplexed);
        pool.ask();
        open(pool, 1, multiplexed);
        FakeWaiter second = pool.ask();
        retire(pool);
        pool.pass(PoolSetup.CONNECT);
        assertThat(second.result()).isEqualTo("upstream-busy");
    }

    @Test
    void anExchangeThatWaitsGoesToTheNewAddress() {
        PoolFixture pool = pool(false);
        FakeWaiter first = pool.ask();
        pool.open(1);
        FakeWaiter second = pool.ask();
        Endpoint added = new Endpoint(
                InetSocketAddress.createUnresolved("added", 80),
                1,
                new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class)));
        pool.endpoint(0).retire();
        pool.state()
                .endpoints(EndpointSet.of(
                        List.of(added),
                        new UpstreamSettings.Balance(
                                UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS)));
        pool.pool(0).endpointsGone();
        pool.finish(first);
        pool.open(2);
        assertThat(second.lease().endpoint()).isSameAs(added);
        assertThat(pool.opener().attempt(2).address()).isEqualTo(added.address());
    }
}
