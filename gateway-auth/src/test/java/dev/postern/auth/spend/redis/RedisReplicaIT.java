package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendEventLoops;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests one master with one replica: a spend is fresh only when both have stored it. */
class RedisReplicaIT {

    @RegisterExtension
    static final RedisExtension MASTER = new RedisExtension();

    @RegisterExtension
    static final RedisExtension REPLICA = new RedisExtension();

    @RegisterExtension
    static final SpendEventLoops LOOPS = new SpendEventLoops();

    private SpendLedger ledger;
    private final TestRedemptions tokens = new TestRedemptions(7, InstantSource.system());

    @BeforeEach
    void open() {
        REPLICA.copy(MASTER);
        ledger = RedisTestSettings.of(Duration.ofSeconds(2), MASTER.address(), false)
                .open("test", new SimpleMeterRegistry(), InstantSource.system(), LOOPS.all());
        // A replica is online before its first acknowledgement.
        Awaitility.await()
                .until(() -> ledger.health().stores().toString().contains("verified, 1 replicas")
                        && LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void isFreshOnlyWhenTheReplicaHasStoredIt() {
        for (int i = 0; i < 20; i++) {
            Redemption token = tokens.issuedBy(ledger);
            assertThat(LOOPS.spend(ledger, token)).isEqualTo(SpendResult.FRESH);
            assertThat(hasStored(REPLICA.server(), token)).isTrue();
        }

        REPLICA.server().freeze();
        try {
            assertThat(LOOPS.spend(ledger, tokens.issuedBy(ledger))).isEqualTo(SpendResult.UNKNOWN);
        } finally {
            REPLICA.server().thaw();
        }

        Awaitility.await().until(() -> LOOPS.spend(ledger, tokens.issuedBy(ledger)) == SpendResult.FRESH);
    }

    private static boolean hasStored(ServerProcess server, Redemption token) {
        try (RedisClient client = RedisClient.create("redis://" + server.address());
                StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            return connection.sync().pttl(new SpendKeys("test").token(token.key())) > 0;
        }
    }
}
