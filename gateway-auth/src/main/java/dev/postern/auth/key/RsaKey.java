package dev.postern.auth.key;

import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * RSA key of token type 2: SubjectPublicKeyInfo with id-RSASSA-PSS, SHA-384, MGF1 with SHA-384 and a salt of 48 bytes, 2048 bits, exponent
 * 65537 (RFC 9578 section 6.5, RFC 4055 section 3.1). DER has exactly four spellings of such a key: the parameters of each of the two hash
 * algorithms are absent or NULL, and RFC 4055 section 2.1 requires both to be accepted. The spellings differ only before the modulus.
 */
public final class RsaKey extends IssuerKey {

    /** Bytes of the modulus and of every signature. */
    public static final int LENGTH = 256;

    public static final BigInteger EXPONENT = BigInteger.valueOf(65537);

    private static final HexFormat HEX = HexFormat.of();

    private static final String SHA384 = "300b0609608648016503040202";
    private static final String SHA384_NULL = "300d06096086480165030402020500";

    /** All bytes before the modulus, by spelling; the first one, without NULL, is the one of RFC 9578. */
    private static final List<byte[]> PREFIXES = List.of(
            prefix(SHA384, SHA384),
            prefix(SHA384, SHA384_NULL),
            prefix(SHA384_NULL, SHA384),
            prefix(SHA384_NULL, SHA384_NULL));

    /**
     * All bytes before the modulus of a key with rsaEncryption instead of id-RSASSA-PSS. Issuers of older drafts list such keys, and other
     * implementations ignore the algorithm of a listed key.
     */
    private static final byte[] RSA_ENCRYPTION = prefix("300d06092a864886f70d0101010500");

    /** All bytes after the modulus: the exponent. */
    private static final byte[] SUFFIX = HEX.parseHex("0203010001");

    /** Parts of each prefix in their order, for messages. */
    private static final List<Part> PARTS = List.of(
            new Part("algorithm", "06092a864886f70d01010a", "id-RSASSA-PSS"),
            new Part("hashAlgorithm", "0609608648016503040202", "SHA-384"),
            new Part("maskGenAlgorithm", "06092a864886f70d010108", "MGF1"),
            new Part("hash of maskGenAlgorithm", "0609608648016503040202", "SHA-384"),
            new Part("saltLength", "a203020130", "48 bytes"));

    /** Maximum number of hexadecimal digits of headers between two parts. */
    private static final int MAX_GAP = 20;

    private final BigInteger modulus;
    private final byte[] modulusBytes;
    private final long[] words = new long[LENGTH / Long.BYTES];

    /** Reads the published form; throws {@link IllegalArgumentException} stating what is wrong with it. */
    public RsaKey(byte[] encoded) {
        this(encoded, PREFIXES);
    }

    private RsaKey(byte[] encoded, List<byte[]> prefixes) {
        super(TokenType.BLIND_RSA, encoded);
        int end = encoded.length - SUFFIX.length;
        int start = end - LENGTH;
        if (prefixes.stream().noneMatch(p -> p.length == start && Arrays.equals(p, 0, start, encoded, 0, start))) {
            throw unlikeAllPrefixes(encoded);
        }
        if (!Arrays.equals(encoded, end, encoded.length, SUFFIX, 0, SUFFIX.length)) {
            throw invalid("exponent", HEX.formatHex(encoded, end, encoded.length), HEX.formatHex(SUFFIX) + ", 65537");
        }
        modulusBytes = Arrays.copyOfRange(encoded, start, end);
        modulus = new BigInteger(1, modulusBytes);
        if (modulus.bitLength() != LENGTH * Byte.SIZE || !modulus.testBit(0)) {
            String parity = modulus.testBit(0) ? " bits" : " bits, even";
            throw invalid("modulus", modulus.bitLength() + parity, "2048 bits, odd");
        }
        ByteBuffer bigEndian = ByteBuffer.wrap(modulusBytes);
        for (int i = 0; i < words.length; i++) {
            words[i] = bigEndian.getLong(LENGTH - (i + 1) * Long.BYTES);
        }
    }

    /**
     * Reads a key of a directory, which may have rsaEncryption as its algorithm. Not for keys of the configuration: with another algorithm
     * a key has another id than the one that clients know.
     *
     * @throws IllegalArgumentException stating what is wrong
     */
    public static RsaKey listed(byte[] encoded) {
        int start = encoded.length - SUFFIX.length - LENGTH;
        boolean old = start == RSA_ENCRYPTION.length && Arrays.equals(RSA_ENCRYPTION, 0, start, encoded, 0, start);
        return new RsaKey(encoded, old ? List.of(RSA_ENCRYPTION) : PREFIXES);
    }

    /** Returns the key with that modulus, in the published form of 342 bytes; for issuers. */
    public static RsaKey of(BigInteger modulus) {
        byte[] signed = modulus.toByteArray();
        if (signed.length != LENGTH + 1) {
            throw invalid("modulus", modulus.bitLength() + " bits", "2048 bits, odd");
        }
        byte[] prefix = PREFIXES.get(0);
        ByteBuffer encoded = ByteBuffer.allocate(prefix.length + LENGTH + SUFFIX.length);
        encoded.put(prefix).put(signed, 1, LENGTH).put(SUFFIX);
        return new RsaKey(encoded.array());
    }

    public BigInteger modulus() {
        return modulus;
    }

    public BigInteger exponent() {
        return EXPONENT;
    }

    /**
     * Returns whether {@code bytes[offset, offset + 256)} is a number below the modulus, as a signature must be (RFC 8017 section 5.2.2).
     */
    public boolean above(byte[] bytes, int offset) {
        return Arrays.compareUnsigned(bytes, offset, offset + LENGTH, modulusBytes, 0, LENGTH) < 0;
    }

    /** Copies the modulus to {@code target[index, index + 256)} as 32 numbers of 64 bits, the least significant first. */
    public void copyModulus(ByteBuffer target, int index) {
        for (int i = 0; i < words.length; i++) {
            target.putLong(index + i * Long.BYTES, words[i]);
        }
    }

    private static byte[] prefix(String hash, String maskHash) {
        String mask = element("30", "06092a864886f70d010108" + maskHash);
        String params = element("30", element("a0", hash) + element("a1", mask) + "a203020130");
        return prefix(element("30", "06092a864886f70d01010a" + params));
    }

    /** @param algorithm AlgorithmIdentifier in hexadecimal digits */
    private static byte[] prefix(String algorithm) {
        String keyStart = "0382010f00" + "3082010a" + "0282010100";
        int length = (algorithm.length() + keyStart.length()) / 2 + LENGTH + "0203010001".length() / 2;
        return HEX.parseHex("3082" + HEX.toHexDigits((short) length) + algorithm + keyStart);
    }

    /** Returns an element of DER with less than 128 bytes of content, in hexadecimal digits. */
    private static String element(String tag, String content) {
        return tag + HEX.toHexDigits((byte) (content.length() / 2)) + content;
    }

    /** Returns the first part that is missing or, if none is, the length and the start of the key. */
    private static IllegalArgumentException unlikeAllPrefixes(byte[] encoded) {
        int longest = PREFIXES.get(PREFIXES.size() - 1).length;
        String start = HEX.formatHex(encoded, 0, Math.min(encoded.length, longest));
        int offset = 0;
        for (Part part : PARTS) {
            int found = start.indexOf(part.digits, offset);
            if (found < 0 || found > offset + MAX_GAP) {
                int end = Math.min(start.length(), offset + part.digits.length() + MAX_GAP);
                String value = offset < end ? start.substring(offset, end) : "nothing";
                return invalid(part.subject, value, part.digits + ", " + part.meaning);
            }
            offset = found + part.digits.length();
        }
        return invalid(
                "SubjectPublicKeyInfo",
                encoded.length + " bytes, " + start.substring(0, 8) + "...",
                "342 to 346 bytes of DER, modulus of 2048 bits, exponent 65537");
    }

    private static IllegalArgumentException invalid(String subject, String value, String expected) {
        return new IllegalArgumentException("token-key: " + subject + ": " + value + " (expected: " + expected + ")");
    }

    /** Part of a prefix, in hexadecimal digits. */
    private record Part(String subject, String digits, String meaning) {}
}
