package dev.postern.auth.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.testing.TokenMint;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class KeyLifetimeTest {

    private static final Instant BEGAN = Instant.parse("2026-11-01T12:00:00Z");
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final KeyLifetime lifetime = new KeyLifetime(Duration.ofDays(30), Duration.ofSeconds(30));

    @Test
    void beginsWithTheKey() {
        AcceptedKey key = key(BEGAN, Instant.MAX);

        assertThat(lifetime.expired(key, NOW)).isFalse();
        assertThat(lifetime.expired(key, BEGAN.plus(Duration.ofDays(30)).plusSeconds(29)))
                .isFalse();
        assertThat(lifetime.expired(key, BEGAN.plus(Duration.ofDays(30)).plusSeconds(30)))
                .isTrue();
        assertThat(lifetime.end(key, NOW)).isEqualTo("2026-12-02T00:00:00Z");
    }

    @Test
    void keepsSpendsLongerThanAnyGatewayAcceptsTheToken() {
        Instant last = BEGAN.plus(Duration.ofDays(30)).plusSeconds(59);

        assertThat(lifetime.end(key(BEGAN, Instant.MAX), NOW)).isAfter(last);
        assertThat(lifetime.end(key(Instant.parse("2026-11-01T23:59:50Z"), Instant.MAX), NOW))
                .isEqualTo("2026-12-03T00:00:00Z");
    }

    @Test
    void beginsWithTheSpendForAKeyWithoutDates() {
        AcceptedKey key = key(Instant.EPOCH, Instant.MAX);

        assertThat(lifetime.expired(key, NOW)).isFalse();
        assertThat(lifetime.end(key, NOW)).isEqualTo("2026-12-21T00:00:00Z");
    }

    @Test
    void endsWithARemovedKey() {
        assertThat(lifetime.end(key(BEGAN, NOW.plusSeconds(3600)), NOW)).isEqualTo("2026-11-21T00:00:00Z");
    }

    @Test
    void refusesInvalidSettings() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyLifetime(Duration.ZERO, Duration.ZERO))
                .withMessageContaining("key-max-lifetime: ");
    }

    private static AcceptedKey key(Instant from, Instant end) {
        return new AcceptedKey(TokenMint.shared().key(), "issuer.example", from, end);
    }
}
