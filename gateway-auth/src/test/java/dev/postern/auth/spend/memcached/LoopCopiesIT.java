package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;

class LoopCopiesIT extends CopiesIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
