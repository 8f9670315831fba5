package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.Test;

class LoopMemcachedLedgerIT extends MemcachedLedgerIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }

    @Override
    @Test
    void usesAllItsConnections() {
        int acceptedBefore = MemcachedText.acceptedConnections(MEMCACHED.server());
        LedgerEnvironment environment =
                new LedgerEnvironment("test", new SimpleMeterRegistry(), clock(), Ticker.systemTicker(), LOOPS.all());
        try (SpendLedger wide =
                SpendLedgers.open(MemcachedTestSettings.of(client(), MEMCACHED.address()), environment)) {
            assertThat(MemcachedText.acceptedConnections(MEMCACHED.server()) - acceptedBefore)
                    .as("with the one that asks")
                    .isEqualTo(LOOPS.all().size() + 1);
            for (int i = 0; i < 100; i++) {
                Redemption token = tokens.next();
                assertThat(LOOPS.spend(wide, token)).isEqualTo(SpendResult.FRESH);
                assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.SPENT);
            }
        }
    }
}
