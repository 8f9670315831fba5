package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.testing.RangedSettings;
import dev.postern.core.testing.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {

    @Test
    void saysNothingOfTheAddressWhichMayHoldAPassword() {
        assertThat(TestRedis.of("redis://:secret@127.0.0.1")).hasToString("redis");
    }

    @Test
    void refusesDeadlinesThatNoOperatorCanWrite() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        RangedSettings.check(TestRedis.of("redis://127.0.0.1", Map.of("deadline", Duration.ZERO))))
                .withMessage("deadline: 0 (expected: 1ms..10s)");
    }

    @Test
    void theMasterOfTheSentinelsIsTheName() {
        RedisSettings redis = TestRedis.of("redis://127.0.0.1");
        RedisSettings several = TestRedis.of(
                "redis://127.0.0.1",
                Map.of(
                        "sentinel",
                        new RedisSettings.Sentinel(
                                "main", List.of(HostPort.of("127.0.0.1:26379"), HostPort.of("[::1]:26380")))));

        assertThat(redis.name("redis://h:1/3")).isEqualTo("h:1");
        assertThat(several.name("redis://h:1")).isEqualTo("master main");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://redis.example, redis.example:6379",
        "rediss://10.0.0.1:7000?timeout=1s, 10.0.0.1:7000",
        "redis://[::1]/3, ::1:6379",
        "redis://[::1]:7000, ::1:7000"
    })
    void namesHostAndPort(String address, String name) {
        assertThat(TestRedis.of(address).name(address)).isEqualTo(name);
    }

    @Test
    void refusesSentinelsOfACluster() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestRedis.of(
                        "redis://127.0.0.1",
                        Map.of(
                                "cluster",
                                true,
                                "sentinel",
                                new RedisSettings.Sentinel("main", List.of(HostPort.of("127.0.0.1:26379"))))))
                .withMessageContaining("expected: false beside redis.sentinel");
    }

    @Test
    void aCertificateNeedsItsKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedisSettings.Tls(null, "a.crt", null))
                .withMessageContaining("both certificate-file and private-key-file");
    }
}
