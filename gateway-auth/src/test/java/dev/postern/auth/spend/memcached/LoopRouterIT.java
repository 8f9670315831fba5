package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;

class LoopRouterIT extends RouterIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
