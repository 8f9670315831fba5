package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisSettingsTest {

    @Test
    void saysNothingOfTheAddressWhichMayHoldAPassword() {
        assertThat(RedisSettings.of("redis://:secret@127.0.0.1", false)).hasToString("redis");
    }

    @Test
    void refusesDeadlinesThatNoOperatorCanWrite() {
        RedisSettings redis = RedisSettings.of("redis://127.0.0.1", false);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> redis.with(Duration.ZERO))
                .withMessage("deadline: 0 (expected: 1ms..10s)");
    }
}
