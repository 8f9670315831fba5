package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests the same pitfalls with the Netty client. */
class LoopMemcachedPitfallsIT extends MemcachedPitfallsIT {

    @Override
    protected Client client() {
        return Client.NETTY;
    }

    @Override
    protected int connections() {
        return LOOPS.all().size();
    }

    /** The Netty client has no such thread; an exception of a command closes its connection. */
    @Override
    @Test
    void createsANewClientWhenTheInputOutputThreadDied() {
        SpendLedger ledger = open(Duration.ofSeconds(2), server);
        MemcachedServer server = ((MemcachedLedger) ledger).servers().handle(0, new byte[16], LOOPS.next());
        MemcachedConnection connection = server.readyConnection();
        assertThat(connection).isNotNull();
        long deadline = Ticker.systemTicker().nanoTime() + Duration.ofSeconds(5).toNanos();
        connection.send(new GetsCommand(MemcachedEncoding.gets(new byte[] {'x'}), deadline, response -> {
            throw new AssertionError("planted");
        }));

        Awaitility.await().until(() -> !connection.alive());
        Awaitility.await().until(() -> server.readyConnection() != null && server.readyConnection() != connection);
        awaitFresh(ledger);
    }
}
