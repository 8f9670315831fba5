package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.Client;

class LoopReplicatedSpendsIT extends ReplicatedSpendsIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }
}
