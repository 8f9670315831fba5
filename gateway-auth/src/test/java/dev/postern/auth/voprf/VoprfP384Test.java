package dev.postern.auth.voprf;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.SignatureProvider;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VoprfP384Test {

    private static final BigInteger SCALAR = new BigInteger("5e".repeat(48), 16).mod(P384.ORDER);

    private final VoprfP384 scheme = new VoprfP384();
    private final SecureRandom random = new SecureRandom();
    private final VoprfServerKey serverKey = new VoprfServerKey(VoprfP384.TYPE, SCALAR);
    private final BlindedScalarMultiplier multiplier = new BlindedScalarMultiplier(random);

    @Test
    void refusesEveryChangedByteOfAToken() {
        Token token = issued(serverKey);
        for (int i = 2; i < token.bytes().length; i++) {
            byte[] changed = token.bytes().clone();
            changed[i] ^= (byte) (1 << i % 8);
            assertThat(serverKey.accepts(Objects.requireNonNull(Token.parse(changed))))
                    .as("byte %d", i)
                    .isFalse();
        }
        assertThat(serverKey.accepts(token)).isTrue();
    }

    @Test
    void acceptsTokensOfItsOwnKeyOnly() {
        assertThat(VoprfServerKey.generate(VoprfP384.TYPE).accepts(issued(serverKey)))
                .isFalse();
    }

    @Test
    void refusesAnEvaluationByAnotherKey() {
        PendingToken pending = begin(serverKey);
        VoprfServerKey other = VoprfServerKey.generate(VoprfP384.TYPE);

        byte[] theirs = Objects.requireNonNull(other.sign(pending.request().blinded()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> pending.finish(theirs))
                .withMessageContaining("proof wrong");
    }

    @Test
    void refusesAnEvaluationWithAChangedByte() {
        PendingToken pending = begin(serverKey);
        byte[] good = Objects.requireNonNull(serverKey.sign(pending.request().blinded()));
        for (int i = 0; i < good.length; i++) {
            byte[] changed = good.clone();
            changed[i] ^= (byte) (1 << i % 8);
            assertThatIllegalArgumentException()
                    .as("byte %d", i)
                    .isThrownBy(() -> pending.finish(changed))
                    .withMessageContaining("evaluation");
        }
        for (int length : new int[] {0, 48, 49, 144, 146}) {
            assertThatIllegalArgumentException().isThrownBy(() -> pending.finish(Arrays.copyOf(good, length)));
        }
        assertThat(serverKey.accepts(pending.finish(good))).isTrue();
    }

    @Test
    void blindsDifferentlyEachTime() {
        assertThat(begin(serverKey).request().blinded())
                .isNotEqualTo(begin(serverKey).request().blinded());
    }

    @Test
    void provesDifferentlyEachTime() {
        byte[] blinded = begin(serverKey).request().blinded();

        byte[] one = Objects.requireNonNull(serverKey.sign(blinded));
        byte[] two = Objects.requireNonNull(serverKey.sign(blinded));

        assertThat(Arrays.copyOf(one, 49)).isEqualTo(Arrays.copyOf(two, 49));
        assertThat(Arrays.copyOfRange(one, 49, 145)).isNotEqualTo(Arrays.copyOfRange(two, 49, 145));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // empty
                "00", // the identity
                "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                        + "00", // the identity, padded
                // x = 0xff..., not below the prime
                "02ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                        + "ffff",
                // the uncompressed form, truncated to the length
                "04aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760a"
                        + "b7"
            })
    void refusesInvalidElements(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThat(serverKey.sign(bytes)).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scheme.readKey(bytes))
                .withMessageContaining("token-key: " + bytes.length + " bytes");
    }

    @Test
    void refusesAnAbscissaThatIsNotOnTheCurve() {
        int without = 0;
        for (int x = 0; x < 16; x++) {
            byte[] bytes = new byte[P384.ELEMENT];
            bytes[0] = 2;
            bytes[P384.ELEMENT - 1] = (byte) x;
            without += P384.element(bytes) == null ? 1 : 0;
            ECPoint found = P384.element(bytes);
            assertThat(found == null || found.isValid()).isTrue();
        }
        assertThat(without).isBetween(1, 15);
    }

    @Test
    void multipliesLikeTheLibrary() {
        ECPoint point = Voprf.element("a point".getBytes(US_ASCII));
        for (BigInteger scalar : List.of(
                BigInteger.ONE,
                BigInteger.TWO,
                BigInteger.valueOf(31),
                BigInteger.valueOf(32),
                P384.ORDER.subtract(BigInteger.ONE),
                P384.ORDER.subtract(BigInteger.TWO),
                P384.ORDER.shiftRight(1),
                P384.randomScalar(random))) {
            assertThat(multiplier.of(scalar, point))
                    .isEqualTo(point.multiply(scalar).normalize());
            assertThat(multiplier.of(scalar, P384.GENERATOR))
                    .isEqualTo(P384.GENERATOR.multiply(scalar).normalize());
        }
    }

    @Test
    void multipliesByZeroToTheIdentity() {
        assertThat(multiplier.of(BigInteger.ZERO, P384.GENERATOR).isInfinity()).isTrue();
        assertThat(multiplier.of(P384.ORDER, P384.GENERATOR).isInfinity()).isTrue();
    }

    @Test
    void readsTheSecretThatItWrites() {
        IssuerKey read = scheme.readSecret(("  " + serverKey.secretFile() + "\n").getBytes(US_ASCII));

        assertThat(read).isNotNull();
        assertThat(read.id()).isEqualTo(serverKey.published().id());
        assertThat(read.verifiable()).isTrue();
        assertThat(serverKey.toString()).isEqualTo("secret of voprf-p384");
    }

    @Test
    void ignoresSecretsOfOtherFormatsAndRefusesInvalidOnes() {
        String zero = "voprf-p384:" + "A".repeat(64);
        String order = "voprf-p384:" + "_".repeat(64);

        assertThat(scheme.readSecret("something else".getBytes(US_ASCII))).isNull();
        for (String broken : List.of("voprf-p384:", "voprf-p384:AAAA", "voprf-p384:!", zero, order)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scheme.readSecret(broken.getBytes(US_ASCII)))
                    .withMessageContaining("scalar of P-384")
                    .withMessageNotContaining("AAAA");
        }
    }

    @Test
    void verifiesNothingWithoutThePrivateKey() {
        IssuerKey known = scheme.readKey(serverKey.published().encoded());

        assertThat(known.verifiable()).isFalse();
        assertThat(known.id()).isEqualTo(serverKey.published().id());
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        SignatureProvider.named(SignatureProvider.PORTABLE).check(known));
    }

    private PendingToken begin(VoprfServerKey key) {
        return scheme.begin(key.published(), TokenChallenge.sha256(new byte[] {7}), random);
    }

    private Token issued(VoprfServerKey key) {
        PendingToken pending = begin(key);
        return pending.finish(Objects.requireNonNull(key.sign(pending.request().blinded())));
    }
}
