package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.testing.Vectors;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RsaKeyTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final String GOOD = HEX.formatHex(TokenMint.shared().key().encoded());
    private static final String MODULUS = GOOD.substring(2 * 81, 2 * 337);

    static List<JsonNode> vectors() {
        return Vectors.list("rfc9578/type2-blind-rsa-2048.json");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void readsTheKeysOfRfc9578(JsonNode vector) {
        byte[] published = Vectors.bytes(vector, "pkS");

        IssuerKey key = IssuerKey.read(TokenType.BLIND_RSA, published);

        assertThat(key.id()).isEqualTo(TokenChallenge.sha256(published));
        assertThat(key.encoded()).isEqualTo(published);
        BigInteger modulus = ((RsaKey) key).modulus();
        assertThat(RsaKey.of(modulus).encoded()).isEqualTo(published);
        byte[] request = Vectors.bytes(vector, "token_request");
        assertThat(key.id().last()).isEqualTo(request[2]);
    }

    static Stream<Arguments> refused() {
        String even = MODULUS.substring(0, 510) + "fe";
        return Stream.of(
                Arguments.of("nothing", "", "SubjectPublicKeyInfo"),
                Arguments.of("not a sequence", "31" + GOOD.substring(2), "tag 0x31"),
                Arguments.of("trailing byte", GOOD + "00", "1 bytes more"),
                Arguments.of("cut short", GOOD.substring(0, GOOD.length() - 2), "at most the"),
                Arguments.of("indefinite length", "3080" + GOOD.substring(8), "length of length 0"),
                Arguments.of("length not shortest", "30830001" + GOOD.substring(6), "length of length 3"),
                Arguments.of("plain RSA", GOOD.replace("2a864886f70d01010a", "2a864886f70d010101"), "algorithm"),
                Arguments.of("SHA-256", GOOD.replace("608648016503040202", "608648016503040201"), "hashAlgorithm"),
                Arguments.of(
                        "MGF1 with SHA-256", replaceLast(GOOD, "608648016503040202", "608648016503040201"), "hash of"),
                Arguments.of("another mask", GOOD.replace("2a864886f70d010108", "2a864886f70d010109"), "maskGen"),
                Arguments.of("salt of 32 bytes", GOOD.replace("a203020130", "a203020120"), "saltLength: 32"),
                Arguments.of("salt negative", GOOD.replace("a203020130", "a2030201ff"), "saltLength: -1 "),
                Arguments.of("exponent 1", HEX.formatHex(encode(modulus(), "020101")), "exponent: 1 "),
                Arguments.of("exponent not shortest", HEX.formatHex(encode(modulus(), "020400010001")), "shortest"),
                Arguments.of("no exponent", HEX.formatHex(encode(modulus(), "")), "exponent: nothing"),
                Arguments.of(
                        "more than an exponent", HEX.formatHex(encode(modulus(), "02030100010500")), "2 bytes more"),
                Arguments.of("exponent 65539", GOOD.substring(0, GOOD.length() - 6) + "010003", "exponent: 65539"),
                Arguments.of("even exponent", GOOD.substring(0, GOOD.length() - 6) + "010000", "exponent: 65536"),
                Arguments.of("negative exponent", GOOD.substring(0, GOOD.length() - 6) + "810001", "exponent"),
                Arguments.of("even modulus", GOOD.replace(MODULUS, even), "2048 bits, even"),
                Arguments.of(
                        "modulus of 2047 bits", GOOD.replace("00" + MODULUS, "0040" + MODULUS.substring(2)), "modulus"),
                Arguments.of("modulus negative", GOOD.replace("00" + MODULUS, "80" + MODULUS), "modulus"),
                Arguments.of("unused bits", GOOD.replace("0382010f00", "0382010f01"), "unused bits"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void refusesKeysThatMustNotBeUsed(String subject, String hex, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(HEX.parseHex(hex)))
                .withMessageContaining(message)
                .withMessageContaining("expected: ");
    }

    @Test
    void refusesLongNumbersWithAShortMessage() {
        byte[] salt = element(0xa2, element(0x02, new byte[512]));
        byte[] params = element(0x30, concat(HEX.parseHex(GOOD.substring(2 * 19, 2 * 62)), salt));
        byte[] algorithm = element(0x30, concat(HEX.parseHex(GOOD.substring(2 * 6, 2 * 17)), params));
        byte[] key = element(0x30, concat(algorithm, HEX.parseHex(GOOD.substring(2 * 67))));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(key))
                .withMessage("token-key: saltLength: 512 bytes (expected: 48)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(encode(modulus(), "02820101" + "7f".repeat(257))))
                .withMessage("token-key: exponent: large (expected: 65537)");
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void refusesModuliOfOtherSizes(int bits) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits - 1).setBit(0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(encode(modulus, "0203010001")))
                .withMessageContaining(bits + " bits (expected: 2048 bits, odd)");
    }

    static List<Integer> sizes() {
        return List.of(1024, 2040, 2047, 2049, 3072, 4096);
    }

    @Test
    void acceptsHashAlgorithmsWithNullUnderAnotherId() {
        // As the JDK's own generator writes them. Only the algorithm is edited: the modulus is random and may
        // contain the same bytes.
        String algorithm = GOOD.substring(0, 2 * 81)
                .replace("300b0609608648016503040202", "300d06096086480165030402020500")
                .replace("a00d", "a00f")
                .replace("a11a3018", "a11c301a")
                .replace("3030a0", "3034a0")
                .replace("303d06", "304106")
                .replace("30820152", "30820156");
        String hex = algorithm + GOOD.substring(2 * 81);

        RsaKey key = new RsaKey(HEX.parseHex(hex));

        assertThat(key.modulus()).isEqualTo(TokenMint.shared().key().modulus());
        assertThat(key.id()).isNotEqualTo(TokenMint.shared().key().id());
    }

    @Test
    void refusesTruncatedAndMutatedKeys() {
        byte[] good = TokenMint.shared().key().encoded();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> new RsaKey(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        Random random = new Random(4055);
        for (int i = 0; i < 50_000; i++) {
            byte[] mutated = good.clone();
            mutated[random.nextInt(90)] = (byte) random.nextInt(256);
            mutated[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(new RsaKey(mutated).modulus().bitLength()).isEqualTo(2048);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("token-key");
            }
        }
    }

    @Test
    void comparesSignaturesWithTheModulusAsNumbers() {
        RsaKey key = TokenMint.shared().key();
        byte[] modulus = Arrays.copyOfRange(key.modulus().toByteArray(), 1, 257);
        byte[] below = Arrays.copyOfRange(key.modulus().subtract(BigInteger.ONE).toByteArray(), 1, 257);
        byte[] max = new byte[256];
        Arrays.fill(max, (byte) 0xff);

        assertThat(key.above(modulus, 0)).isFalse();
        assertThat(key.above(below, 0)).isTrue();
        assertThat(key.above(max, 0)).isFalse();
        assertThat(key.above(new byte[300], 44)).isTrue();
    }

    private static BigInteger modulus() {
        return TokenMint.shared().key().modulus();
    }

    /** Encodes the SubjectPublicKeyInfo of any modulus, and of any exponent given as DER. */
    static byte[] encode(BigInteger modulus, String exponent) {
        byte[] number = element(0x02, modulus.toByteArray());
        byte[] key = element(0x30, concat(number, HEX.parseHex(exponent)));
        byte[] bits = element(0x03, concat(new byte[1], key));
        return element(0x30, concat(HEX.parseHex(GOOD.substring(8, 8 + 2 * 63)), bits));
    }

    private static byte[] element(int tag, byte[] content) {
        byte[] head = content.length < 128
                ? new byte[] {(byte) tag, (byte) content.length}
                : content.length < 256
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) content.length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
        return concat(head, content);
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] joined = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, joined, a.length, b.length);
        return joined;
    }

    private static String replaceLast(String text, String from, String target) {
        int offset = text.lastIndexOf(from);
        return text.substring(0, offset) + target + text.substring(offset + from.length());
    }
}
