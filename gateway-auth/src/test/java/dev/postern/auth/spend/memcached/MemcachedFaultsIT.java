package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerFaultsContract;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.Traffic;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two gateways on one memcached, to which also the connection breaks. */
class MemcachedFaultsIT extends LedgerFaultsContract {

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @Test
    void changesNothingWhenOnlyTheConnectionBreaks() {
        byte[] before = one.epoch();
        try (TcpProxy proxy = new TcpProxy(server());
                SpendLedger third = open(settings(proxy.address()));
                Traffic more = new Traffic(LOOPS, third)) {
            // It knows the server by another name, but the mark is the server's.
            byte[] itsEpoch = third.epoch();
            more.awaitPassing("start over the proxy");
            proxy.cut();
            more.awaitPassing("cut");

            assertThat(third.epoch()).isEqualTo(itsEpoch).isEqualTo(before);
            assertKept(more);
        }
        assertKept();
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
        return Patient.of(client(), Traffic.DEADLINE, address);
    }

    /** Who talks to the servers in this suite. */
    protected Client client() {
        return Client.SPYMEMCACHED;
    }
}
