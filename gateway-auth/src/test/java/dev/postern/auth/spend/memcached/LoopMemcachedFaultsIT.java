package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;

class LoopMemcachedFaultsIT extends MemcachedFaultsIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
