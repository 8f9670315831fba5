package dev.postern.core.tls.certificate;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.OcspVectors;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OcspResponseTest {

    private static final Instant MADE = Instant.parse("2026-11-24T06:00:00Z");

    private final X509Certificate[] chain = Pem.certificates(OcspVectors.bytes("chain.crt"));

    private void check(String file, Instant time) {
        OcspResponse.check(OcspVectors.bytes(file), chain, time);
    }

    @Test
    void acceptsAResponseThatIsGood() {
        assertThatCode(() -> check("good.der", MADE)).doesNotThrowAnyException();
        assertThatCode(() -> check("short.der", MADE)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "revoked.der, revoked",
        "neighbor.der, certificate",
        "forged.der, ''",
        "chain.crt, ''",
    })
    void refusesAResponseThatClientsReject(String file, String reason) {
        assertThatThrownBy(() -> check(file, MADE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("(expected: a response that is good for the certificate now)");
    }

    @Test
    void refusesAResponseThatIsNotInForce() {
        assertThatThrownBy(() -> check("short.der", MADE.plus(Duration.ofDays(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("out-of-date");
        assertThatThrownBy(() -> check("good.der", MADE.minus(Duration.ofDays(1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTruncatedResponses() {
        byte[] whole = OcspVectors.bytes("good.der");
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> OcspResponse.check(part, chain, MADE))
                    .as("%s bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void needsTheIssuer() {
        X509Certificate[] leaf = {chain[0]};
        assertThatThrownBy(() -> OcspResponse.check(OcspVectors.bytes("good.der"), leaf, MADE))
                .hasMessageContaining("expected: also that of the issuer");
    }
}
