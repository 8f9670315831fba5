package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerFaultsContract;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two gateways on one memcached, including connection failures. */
class MemcachedFaultsIT extends LedgerFaultsContract {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @Test
    void keepsItsStateWhenOnlyTheConnectionFails() {
        byte[] oldEpoch = one.epoch();
        try (TcpProxy proxy = new TcpProxy(server());
                SpendLedger third = open(settings(proxy.address()));
                SpendTraffic other = new SpendTraffic(LOOPS, third)) {
            // The ledger has another name for the server, but the marker is the server's.
            other.awaitPassing("start over the proxy");
            byte[] itsEpoch = third.epoch();
            proxy.cut();
            other.awaitPassing("cut");

            assertThat(third.epoch()).isEqualTo(itsEpoch).isEqualTo(oldEpoch);
            assertKept(other);
        }
        assertKept();
    }

    /** The host of the server vanishes, and another one has its address: connections that are open lead nowhere, new ones succeed. */
    @Test
    void replacesAConnectionWhosePeerVanished() {
        traffic.close(); // two hops more than the others have: leave them the machine
        try (FrozenRelay relay = new FrozenRelay(MEMCACHED.address());
                SpendLedger third = open(settings(relay.address()));
                SpendTraffic beyond = new SpendTraffic(LOOPS, third)) {
            beyond.awaitPassing("start over the relay");
            relay.freeze();
            beyond.awaitUnknown(100);
            beyond.awaitPassing("the peer vanished");
            assertKept(beyond);
        }
    }

    @Override
    protected ServerProcess server() {
        return MEMCACHED.server();
    }

    @Override
    protected LedgerSettings settings() {
        return settings(MEMCACHED.address());
    }

    private LedgerSettings settings(String address) {
        return MemcachedTestSettings.of(client(), SpendTraffic.DEADLINE, address);
    }

    /** Returns the client of this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }
}
