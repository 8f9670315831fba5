package dev.postern.core.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CertificateExpiryTest {

    private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant END = START.plus(Duration.ofDays(1));

    private final ManualClock clock = new ManualClock(START);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CertificateExpiry expiry = new CertificateExpiry(clock, registry);

    private double left(String name) {
        return registry.get("postern.tls.certificate.expiry")
                .tags("listener", "web", "name", name)
                .gauge()
                .value();
    }

    @Test
    void countsDownAndBelowZero() {
        expiry.put("web", Map.of("site.example", END));

        assertThat(left("site.example")).isEqualTo(86_400);
        clock.advance(Duration.ofHours(25));
        assertThat(left("site.example")).isEqualTo(-3600);
    }

    @Test
    void namesExpiredCertificatesUntilTheyAreReplaced() {
        expiry.put("web", Map.of("site.example", END, "other.example", END.plusSeconds(1)));
        assertThat(expiry.expired()).isEmpty();

        clock.advance(Duration.ofDays(1));
        assertThat(expiry.expired())
                .containsExactly(Map.entry("listener web: site.example", "expired at 2026-11-02T00:00:00Z"));

        expiry.put("web", Map.of("site.example", END.plus(Duration.ofDays(90))));
        assertThat(expiry.expired()).isEmpty();
        assertThat(left("site.example")).isEqualTo(90 * 86_400);
        assertThat(registry.find("postern.tls.certificate.expiry").gauges()).hasSize(1);
    }

    @Test
    void aLateCheckDoesNotRestoreARemovedListener() {
        expiry.put("web", Map.of("site.example", END));
        expiry.only(List.of());
        expiry.update("web", Map.of("site.example", END));

        assertThat(registry.find("postern.tls.certificate.expiry").gauges()).isEmpty();
        expiry.put("web", Map.of("site.example", END));
        expiry.update("web", Map.of("site.example", END.plusSeconds(5)));
        assertThat(left("site.example")).isEqualTo(86_405);
    }
}
