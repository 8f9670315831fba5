package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.LedgerFaultsContract;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisFaultsIT extends LedgerFaultsContract {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected LedgerSettings settings() {
        return LedgerSettings.of(LedgerSettings.Store.REDIS).with(SpendTraffic.DEADLINE);
    }

    @Override
    protected RedisSettings redis() {
        return RedisSettings.of("redis://" + REDIS.address(), false);
    }

    @Override
    protected ServerProcess server() {
        return REDIS.server();
    }
}
