package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.testing.TokenMint;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the padding of signatures: each step of RFC 8017 section 9.1.2 refuses an encoded message in which all else is right. A change of
 * masked padding leaves the hash valid, since the hash covers message and salt only.
 */
class EmsaPssTest {

    private static final byte[] MESSAGE = message();
    private static final byte[] ENCODED = encoded(MESSAGE, 48);
    private static final int PADDING = 158;

    private final EmsaPss pss = new EmsaPss();

    @Test
    void acceptsWhatTheJdkEncodes() {
        for (int i = 0; i < 20; i++) {
            byte[] message = MESSAGE.clone();
            message[i] ^= 1;
            assertThat(pss.verify(message, message.length, encoded(message, 48)))
                    .isTrue();
        }
    }

    @Test
    void acceptsAfterItRefused() {
        byte[] encoded = ENCODED.clone();
        byte[] bad = encoded.clone();
        bad[3] ^= 1;

        assertThat(pss.verify(MESSAGE, MESSAGE.length, bad)).isFalse();
        assertThat(pss.verify(MESSAGE, MESSAGE.length, encoded)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("paddingBytes")
    void refusesEveryByteOfPaddingThatIsNotZero(int index) {
        for (int bit = index == 0 ? 6 : 7; bit >= 0; bit--) {
            assertThat(changed(index, 1 << bit)).as("bit %d", bit).isFalse();
        }
    }

    static IntStream paddingBytes() {
        return IntStream.range(0, PADDING);
    }

    @Test
    void refusesAHighestBitThatIsNotZero() {
        assertThat(changed(0, 0x80)).isFalse();
    }

    @Test
    void refusesAnotherSeparator() {
        for (int bit = 0; bit < 8; bit++) {
            assertThat(changed(PADDING, 1 << bit)).as("bit %d", bit).isFalse();
        }
    }

    @Test
    void refusesAnotherTrailer() {
        for (int bit = 0; bit < 8; bit++) {
            assertThat(changed(255, 1 << bit)).as("bit %d", bit).isFalse();
        }
    }

    @Test
    void refusesEveryChangedByteOfSaltAndHash() {
        for (int index = PADDING + 1; index < 255; index++) {
            assertThat(changed(index, 0x10)).as("byte %d", index).isFalse();
        }
    }

    @Test
    void refusesAnotherMessage() {
        for (int index = 0; index < MESSAGE.length; index++) {
            byte[] other = MESSAGE.clone();
            other[index] ^= 1;
            assertThat(pss.verify(other, other.length, ENCODED.clone()))
                    .as("byte %d", index)
                    .isFalse();
        }
        assertThat(pss.verify(MESSAGE, MESSAGE.length - 1, ENCODED.clone())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 32, 47, 49, 64})
    void refusesOtherSaltLengths(int salt) {
        assertThat(pss.verify(MESSAGE, MESSAGE.length, encoded(MESSAGE, salt))).isFalse();
    }

    @Test
    void refusesTrivialEncodings() {
        for (int value : new int[] {0, 1, 0x7f, 0xbc, 0xff}) {
            byte[] encoded = new byte[256];
            Arrays.fill(encoded, (byte) value);
            encoded[0] &= 0x7f;
            encoded[255] = (byte) 0xbc;
            assertThat(pss.verify(MESSAGE, MESSAGE.length, encoded)).isFalse();
        }
    }

    private boolean changed(int index, int bits) {
        byte[] encoded = ENCODED.clone();
        encoded[index] ^= (byte) bits;
        return pss.verify(MESSAGE, MESSAGE.length, encoded);
    }

    private static byte[] message() {
        byte[] message = new byte[98];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        return message;
    }

    private static byte[] encoded(byte[] message, int salt) {
        RsaKey key = TokenMint.shared().key();
        BigInteger signature = new BigInteger(1, TokenMint.shared().sign(message, salt));
        return BigIntegerLanes.unsigned(signature.modPow(key.exponent(), key.modulus()));
    }
}
