package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisReasons;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the state of the ledger and the log say why Redis cannot be used. */
@Tag("faults")
class RedisReasonsIT extends RedisReasons {

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private final TestRedemptions tokens = new TestRedemptions(7, InstantSource.system());

    RedisReasonsIT() {
        super(RedisServer.class, "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replicaof 127.0.0.1 1 | a replica (expected: a master)",
                "acl setuser default -info | NOPERM: the user may not use the command info",
            })
    void namesWhatItsChecksFind(String command, String reason) {
        expectAfter(command, reason);
    }

    @Override
    protected User open(RedisSettings redis) {
        LedgerSettings settings = KeyDefaults.of(
                LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", Duration.ofMillis(500)));
        SpendLedger ledger = new RedisTestSettings(settings, redis)
                .open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all());
        return new Ledger(ledger, tokens);
    }

    private record Ledger(SpendLedger ledger, TestRedemptions tokens) implements User {

        @Override
        public void call() {
            LOOPS.spend(ledger, tokens.issuedBy(ledger));
        }

        @Override
        public boolean healthy() {
            return ledger.health().healthy();
        }

        @Override
        public String state() {
            return ledger.health().stores().toString();
        }

        @Override
        public void close() {
            ledger.close();
        }
    }
}
