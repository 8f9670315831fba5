package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;
import org.junit.jupiter.api.Tag;

/** Repeats the tests with the Netty client. */
@Tag("long")
class LoopMemcachedFaultsIT extends MemcachedFaultsIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
