package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.BlockingFile;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a ledger whose file with the URI blocks its reader: no event loop of the client reads it. */
class RedisSlowFileIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    @TempDir
    private Path folder;

    @Test
    void noEventLoopReadsTheFile() {
        String uri = "redis://" + REDIS.address();
        BlockingFile file = BlockingFile.in(folder);
        RedisSettings redis = TestRedis.of(uri).with(uri, file.path().toString());
        try (SpendLedger ledger = new RedisTestSettings(
                        KeyDefaults.of(LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS)), redis)
                .open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all())) {
            assertThat(file.serve(uri, () -> ledger.health().healthy()))
                    .isNotEmpty()
                    .allMatch("postern-ledger"::equals);
        }
    }
}
