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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RsaKeyTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final String GOOD = HEX.formatHex(TokenMint.shared().key().encoded());
    private static final String PLAIN = "30820122300d06092a864886f70d01010105000382010f00";
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

    /** Returns the shared key with rsaEncryption instead of id-RSASSA-PSS. */
    static byte[] rsaEncryption() {
        return HEX.parseHex(PLAIN + GOOD.substring(2 * 72));
    }

    @Test
    void readsRsaEncryptionOnlyAsAListedKey() {
        byte[] plain = rsaEncryption();
        byte[] good = TokenMint.shared().key().encoded();

        assertThat(RsaKey.listed(plain).modulus()).isEqualTo(RsaKey.listed(good).modulus());
        assertThat(RsaKey.listed(plain).encoded()).isEqualTo(plain);
        for (int i = 0; i < PLAIN.length() / 2; i++) {
            byte[] changed = plain.clone();
            changed[i] ^= 1;
            assertThatIllegalArgumentException().isThrownBy(() -> RsaKey.listed(changed));
        }
        byte[] otherExponent = plain.clone();
        otherExponent[plain.length - 1] = 3;
        assertThatIllegalArgumentException().isThrownBy(() -> RsaKey.listed(otherExponent));
        assertThatIllegalArgumentException().isThrownBy(() -> RsaKey.listed(Arrays.copyOf(plain, plain.length + 1)));
    }

    static Stream<Arguments> refused() {
        String even = MODULUS.substring(0, 510) + "fe";
        String rsaEncryption = PLAIN + GOOD.substring(2 * 72);
        return Stream.of(
                Arguments.of("nothing", "", "algorithm: nothing (expected: 06092a864886f70d01010a, id-RSASSA-PSS)"),
                Arguments.of("plain RSA", rsaEncryption, "algorithm: 30820122300d06092a864886f70d010101"),
                Arguments.of("another algorithm", edit("2a864886f70d01010a", "2a864886f70d01010b"), "algorithm: "),
                Arguments.of("SHA-256", edit("608648016503040202a1", "608648016503040201a1"), "hashAlgorithm: "),
                Arguments.of(
                        "MGF1 with SHA-256",
                        edit("608648016503040202a2", "608648016503040201a2"),
                        "hash of maskGenAlgorithm: "),
                Arguments.of("another mask", edit("2a864886f70d010108", "2a864886f70d010109"), "maskGenAlgorithm: "),
                Arguments.of("salt of 32 bytes", edit("a203020130", "a203020120"), "saltLength: a203020120"),
                Arguments.of("salt negative", edit("a203020130", "a2030201ff"), "saltLength: a2030201ff"),
                Arguments.of("not a sequence", "31" + GOOD.substring(2), "342 bytes, 31820152"),
                Arguments.of("trailing byte", GOOD + "00", "343 bytes"),
                Arguments.of("cut short", GOOD.substring(0, GOOD.length() - 2), "341 bytes"),
                Arguments.of("indefinite length", "3080" + GOOD.substring(8), "340 bytes, 3080"),
                Arguments.of("length not shortest", "3083000152" + GOOD.substring(8), "343 bytes, 30830001"),
                Arguments.of("length of another key", "30820151" + GOOD.substring(8), "342 bytes, 30820151"),
                Arguments.of("NULL outside of the lengths", edit("040202a11a", "0402020500a11a"), "344 bytes"),
                Arguments.of("parameters other than NULL", HEX.formatHex(spelled("0400", "")), "344 bytes"),
                Arguments.of("unused bits", edit("0382010f00", "0382010f01"), "342 bytes"),
                Arguments.of("modulus negative", GOOD.replace("00" + MODULUS, "80" + MODULUS), "342 bytes"),
                Arguments.of("modulus of 2047 bits", GOOD.replace(MODULUS, "40" + MODULUS.substring(2)), "2047 bits"),
                Arguments.of("even modulus", GOOD.replace(MODULUS, even), "2048 bits, even"),
                Arguments.of("exponent 1", HEX.formatHex(encode(modulus(), "020101")), "340 bytes"),
                Arguments.of("exponent not shortest", HEX.formatHex(encode(modulus(), "020400010001")), "343 bytes"),
                Arguments.of("no exponent", HEX.formatHex(encode(modulus(), "")), "337 bytes"),
                Arguments.of("more than an exponent", HEX.formatHex(encode(modulus(), "02030100010500")), "344 bytes"),
                Arguments.of(
                        "exponent 65539", endingWith("010003"), "exponent: 0203010003 (expected: 0203010001, 65537)"),
                Arguments.of("even exponent", endingWith("010000"), "exponent: 0203010000"),
                Arguments.of("negative exponent", endingWith("810001"), "exponent: 0203810001"));
    }

    /** Edits the bytes before the modulus, which is random and may contain the same bytes. */
    private static String edit(String from, String to) {
        return GOOD.substring(0, 2 * 81).replace(from, to) + GOOD.substring(2 * 81);
    }

    private static String endingWith(String exponent) {
        return GOOD.substring(0, GOOD.length() - 6) + exponent;
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
                .withMessage("token-key: saltLength: a28202040282020000000000000000 (expected: a203020130, 48 bytes)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(encode(modulus(), "02820101" + "7f".repeat(257))))
                .withMessage(
                        "token-key: SubjectPublicKeyInfo: 598 bytes, 30820252... (expected: 342 to 346 bytes of DER, modulus"
                                + " of 2048 bits, exponent 65537)");
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void refusesModuliOfOtherSizes(int bits) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits - 1).setBit(0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RsaKey(encode(modulus, "0203010001")))
                .withMessageContaining("modulus of 2048 bits");
    }

    static List<Integer> sizes() {
        return List.of(1024, 2040, 2049, 3072, 4096);
    }

    /** Both with NULL is what the JDK's own generator writes. */
    @ParameterizedTest
    @CsvSource({"'', '', true", "'', 0500, false", "0500, '', false", "0500, 0500, false"})
    void acceptsAllFourSpellingsUnderDifferentIds(String first, String second, boolean sameId) {
        RsaKey key = new RsaKey(spelled(first, second));

        assertThat(key.modulus()).isEqualTo(modulus());
        assertThat(key.id().equals(TokenMint.shared().key().id())).isEqualTo(sameId);
    }

    /** Spells the key with these parameters of the two hash algorithms. */
    private static byte[] spelled(String first, String second) {
        byte[] hash = element(0x30, HEX.parseHex("0609608648016503040202" + first));
        byte[] maskHash = element(0x30, HEX.parseHex("0609608648016503040202" + second));
        byte[] mask = element(0x30, concat(HEX.parseHex("06092a864886f70d010108"), maskHash));
        byte[] algorithms = concat(element(0xa0, hash), element(0xa1, mask));
        byte[] params = element(0x30, concat(algorithms, HEX.parseHex("a203020130")));
        byte[] algorithm = element(0x30, concat(HEX.parseHex("06092a864886f70d01010a"), params));
        return element(0x30, concat(algorithm, HEX.parseHex(GOOD.substring(2 * 67))));
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
}
