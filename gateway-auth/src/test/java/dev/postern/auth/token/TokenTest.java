package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenTest {

    private static final byte[] BYTES = bytes();

    @Test
    void doesNotPrintItsContent() {
        Token token = Objects.requireNonNull(Token.parse(BYTES));

        assertThat(token).hasToString("token(blind-rsa)");
    }

    @Test
    void isIdentifiedByKeyAndNonce() {
        byte[] other = BYTES.clone();
        other[40] ^= 1;
        other[200] ^= 1;
        byte[] nonce = BYTES.clone();
        nonce[2] ^= 1;
        byte[] key = BYTES.clone();
        key[97] ^= 1;

        byte[] identity = identity(BYTES);
        assertThat(identity).hasSize(64).isEqualTo(identity(other));
        assertThat(identity(nonce)).isNotEqualTo(identity);
        assertThat(identity(key)).isNotEqualTo(identity);
    }

    @Test
    void requiresTheLengthOfItsType() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Token.of(new byte[] {0, 2}, new byte[351]))
                .withMessage("token: 353 bytes (expected: one of a known type)");
    }

    @Test
    void writesDigestsInHex() {
        assertThat(new Bytes32(1, -1, 0, 0xabcL))
                .hasToString("0000000000000001ffffffffffffffff00000000000000000000000000000abc");
    }

    private static byte[] identity(byte[] bytes) {
        return Objects.requireNonNull(Token.parse(bytes)).identity();
    }

    private static byte[] bytes() {
        byte[] bytes = new byte[354];
        new Random(9577).nextBytes(bytes);
        bytes[0] = 0;
        bytes[1] = 2;
        return bytes;
    }
}
