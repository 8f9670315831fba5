package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingContextTest {

    private static final String OLD = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    private static final String NEW = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=";

    private final KeyRing rotating = KeyRing.of(List.of(NEW, OLD));

    @Test
    void namesTheSecretThatSignsAndThoseThatVerify() {
        List<String> fingerprints = rotating.fingerprints();

        assertThat(new RingContext(() -> rotating).items())
                .containsExactly(ContextItem.measure(
                        "secrets.ring", fingerprints.get(0) + " signs, " + fingerprints.get(1) + " verifies"));
        assertThat(RingContext.text(KeyRing.of(List.of(OLD)))).isEqualTo(fingerprints.get(1) + " signs");
    }

    @Test
    void showsNothingOfASecret() {
        assertThat(RingContext.text(rotating)).matches("[0-9a-f]{8} signs, [0-9a-f]{8} verifies");
        assertThat(RingContext.text(rotating)).doesNotContain("00010203", "20212223", "AAEC", "ICEi");
    }

    @Test
    void anotherRingReplacesTheMetersOfTheOneBefore() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RingContext.meter(KeyRing.of(List.of(OLD)), registry);
        RingContext.meter(rotating, registry);

        assertThat(registry.getMeters().stream().map(Meter::getId))
                .extracting(id -> id.getTag("fingerprint") + " " + id.getTag("use"))
                .containsExactlyInAnyOrder(
                        rotating.fingerprints().get(0) + " signs",
                        rotating.fingerprints().get(1) + " verifies");
    }
}
