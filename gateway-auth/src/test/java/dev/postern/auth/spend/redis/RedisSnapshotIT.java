package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that restarts with an old snapshot: it has some tokens and its old marker, and does not know that others are missing. */
class RedisSnapshotIT {

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    @TempDir
    Path folder;

    @Test
    void changesItsEpochWhenAServerRestartsFromASnapshot() {
        try (ServerProcess server = server();
                SpendLedger ledger = open(server)) {
            TestRedemptions tokens = new TestRedemptions(3, InstantSource.system());
            Redemption saved = tokens.issuedBy(ledger);
            Redemption lost = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, saved)).isEqualTo(SpendResult.FRESH);
            RedisClusterExtension.cli("-p", Integer.toString(server.port()), "save");
            assertThat(LOOPS.spend(ledger, lost)).isEqualTo(SpendResult.FRESH);

            server.kill();
            server.start();

            Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
            assertThat(ledger.epoch()).isNotEqualTo(lost.epoch());
            assertThat(LOOPS.spend(ledger, lost)).isNotEqualTo(SpendResult.FRESH);
            assertThat(LOOPS.spend(ledger, saved)).isEqualTo(SpendResult.SPENT);
        }
    }

    private ServerProcess server() {
        ServerProcess server = new ServerProcess(
                RedisExtension.program(),
                ServerProcess.freePort(),
                "--bind",
                "127.0.0.1",
                "--port",
                "{port}",
                "--dir",
                folder.toString(),
                "--save",
                "");
        server.start();
        return server;
    }

    private static SpendLedger open(ServerProcess server) {
        SpendLedger ledger = RedisTestSettings.of(server.address(), false)
                .open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all());
        Awaitility.await().until(() -> ledger.health().healthy());
        return ledger;
    }
}
