package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;

class LoopFlushIT extends FlushIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
