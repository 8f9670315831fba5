package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Loops;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.Tokens;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.ServerProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back with an old snapshot knows some tokens, its old mark, and not that it forgot the others. */
class RedisSnapshotIT {

    @RegisterExtension
    static final Loops LOOPS = new Loops();

    @TempDir
    Path folder;

    @Test
    void rollsWhenAServerComesBackFromASnapshot() {
        try (ServerProcess server = server();
                SpendLedger ledger = open(server)) {
            Tokens tokens = new Tokens(3, InstantSource.system());
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
                "redis-server",
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
        SpendLedger ledger = Patient.of(server.address(), false)
                .open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all());
        Awaitility.await().until(() -> ledger.health().healthy());
        return ledger;
    }
}
