package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerFaultsContract;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestRedis;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisFaultsIT extends LedgerFaultsContract {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final RedisExtension EMPTY = new RedisExtension();

    @Override
    protected LedgerSettings settings() {
        return KeyDefaults.of(
                LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", SpendTraffic.DEADLINE));
    }

    @Override
    protected RedisSettings redis() {
        return TestRedis.of("redis://" + REDIS.address());
    }

    @Override
    protected ServerProcess server() {
        return REDIS.server();
    }

    /** The master's name leads to an empty server from one moment to the next, and back to the first, which knows only older spends. */
    @Test
    void acceptsNothingTwiceWhenAnEmptyMasterTakesOver() {
        traffic.close();
        EMPTY.connection().sync().flushall();
        try (FrozenRelay relay = new FrozenRelay(REDIS.address());
                SpendLedger first = open(settings(), TestRedis.of("redis://" + relay.address()));
                SpendLedger second = open(settings(), TestRedis.of("redis://" + relay.address()));
                SpendTraffic both = new SpendTraffic(LOOPS, first, second)) {
            both.awaitPassing("start over the relay");
            byte[] epoch = first.epoch();
            relay.redirect(EMPTY.address());
            both.awaitPassing("an empty master took over");
            byte[] afterwards = first.epoch();
            assertThat(afterwards).isNotEqualTo(epoch).isEqualTo(second.epoch());
            relay.redirect(REDIS.address());
            both.awaitPassing("the first master is back");
            assertKept(both);
        }
    }

    /** The host of the server vanishes, and another one has its address: connections that are open lead nowhere, new ones succeed. */
    @Test
    void replacesAConnectionWhosePeerVanished() {
        traffic.close(); // two hops more than the others have: leave them the machine
        try (FrozenRelay relay = new FrozenRelay(REDIS.address());
                SpendLedger third = open(settings(), TestRedis.of("redis://" + relay.address()));
                SpendTraffic beyond = new SpendTraffic(LOOPS, third)) {
            beyond.awaitPassing("start over the relay");
            relay.freeze();
            beyond.awaitUnknown(100);
            beyond.awaitPassing("the peer vanished");
            assertKept(beyond);
        }
    }
}
