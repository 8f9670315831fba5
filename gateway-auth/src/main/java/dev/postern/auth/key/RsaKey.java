package dev.postern.auth.key;

import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * RSA key of token type 2: SubjectPublicKeyInfo with id-RSASSA-PSS, SHA-384, MGF1 with SHA-384 and a salt of 48 bytes, 2048 bits, exponent
 * 65537 (RFC 9578 section 6.5, RFC 4055 section 3.1).
 */
public final class RsaKey extends IssuerKey {

    /** Bytes of the modulus and of every signature. */
    public static final int LENGTH = 256;

    public static final BigInteger EXPONENT = BigInteger.valueOf(65537);

    private static final byte[] RSASSA_PSS = HexFormat.of().parseHex("2a864886f70d01010a");
    private static final byte[] MGF1 = HexFormat.of().parseHex("2a864886f70d010108");
    private static final byte[] SHA384 = HexFormat.of().parseHex("608648016503040202");
    private static final int HASH_ALGORITHM = 0xa0;
    private static final int MASK_GENERATION = 0xa1;
    private static final int SALT_LENGTH = 0xa2;

    /** Bytes before the modulus of a 2048-bit key, as in RFC 9578: hash algorithms without NULL. */
    private static final byte[] PREFIX = HexFormat.of()
            .parseHex("30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d01"
                    + "0108300b0609608648016503040202a2030201300382010f003082010a0282010100");

    private static final byte[] SUFFIX = HexFormat.of().parseHex("0203010001");

    private final BigInteger modulus;
    private final byte[] modulusBytes;
    private final long[] words = new long[LENGTH / Long.BYTES];

    /** Reads the published form; throws {@link IllegalArgumentException} stating what is wrong with it. */
    public RsaKey(byte[] encoded) {
        super(TokenType.BLIND_RSA, encoded);
        DerReader all = new DerReader(encoded);
        DerReader info = all.enter(DerReader.SEQUENCE, "SubjectPublicKeyInfo");
        all.expectEnd("after SubjectPublicKeyInfo");
        algorithm(info.enter(DerReader.SEQUENCE, "algorithm"));
        byte[] bits = info.enter(DerReader.BIT_STRING, "subjectPublicKey").rest();
        info.expectEnd("after subjectPublicKey");
        if (bits.length == 0 || bits[0] != 0) {
            throw DerReader.bad("subjectPublicKey", "unused bits", "none");
        }
        DerReader whole = new DerReader(Arrays.copyOfRange(bits, 1, bits.length));
        DerReader key = whole.enter(DerReader.SEQUENCE, "RSAPublicKey");
        whole.expectEnd("after RSAPublicKey");
        modulus = positive(key.enter(DerReader.INTEGER, "modulus").rest(), "modulus");
        BigInteger exponent = positive(key.enter(DerReader.INTEGER, "exponent").rest(), "exponent");
        key.expectEnd("after exponent");
        if (modulus.bitLength() != LENGTH * 8 || !modulus.testBit(0)) {
            String parity = modulus.testBit(0) ? " bits" : " bits, even";
            throw DerReader.bad("modulus", modulus.bitLength() + parity, "2048 bits, odd");
        }
        if (!exponent.equals(EXPONENT)) {
            throw DerReader.bad("exponent", exponent.bitLength() > 64 ? "large" : exponent.toString(), "65537");
        }
        byte[] signed = modulus.toByteArray();
        modulusBytes = Arrays.copyOfRange(signed, 1, signed.length);
        ByteBuffer bigEndian = ByteBuffer.wrap(modulusBytes);
        for (int i = 0; i < words.length; i++) {
            words[i] = bigEndian.getLong(LENGTH - (i + 1) * Long.BYTES);
        }
    }

    /** Returns the key with that modulus, in the published form of 342 bytes; for issuers. */
    public static RsaKey of(BigInteger modulus) {
        byte[] signed = modulus.toByteArray();
        if (signed.length != LENGTH + 1) {
            throw DerReader.bad("modulus", modulus.bitLength() + " bits", "2048");
        }
        byte[] encoded = Arrays.copyOf(PREFIX, PREFIX.length + LENGTH + SUFFIX.length);
        System.arraycopy(signed, 1, encoded, PREFIX.length, LENGTH);
        System.arraycopy(SUFFIX, 0, encoded, PREFIX.length + LENGTH, SUFFIX.length);
        return new RsaKey(encoded);
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

    private static void algorithm(DerReader algorithm) {
        objectId(algorithm, RSASSA_PSS, "algorithm");
        DerReader params = algorithm.enter(DerReader.SEQUENCE, "RSASSA-PSS-params");
        algorithm.expectEnd("after RSASSA-PSS-params");
        DerReader hash = params.enter(HASH_ALGORITHM, "hashAlgorithm");
        sha384(hash, "hashAlgorithm");
        DerReader mask = params.enter(MASK_GENERATION, "maskGenAlgorithm");
        DerReader mgf = mask.enter(DerReader.SEQUENCE, "maskGenAlgorithm");
        mask.expectEnd("after maskGenAlgorithm");
        objectId(mgf, MGF1, "maskGenAlgorithm");
        sha384(mgf, "hash of maskGenAlgorithm");
        DerReader salt = params.enter(SALT_LENGTH, "saltLength");
        byte[] length = salt.enter(DerReader.INTEGER, "saltLength").rest();
        salt.expectEnd("after saltLength");
        params.expectEnd("after saltLength");
        if (length.length != 1 || length[0] != 48) {
            // A long number would fill the log, and its conversion to decimal digits takes quadratic time.
            String found = length.length == 1 ? String.valueOf(length[0]) : length.length + " bytes";
            throw DerReader.bad("saltLength", found, "48");
        }
    }

    /** Checks an AlgorithmIdentifier of SHA-384, with or without NULL: RFC 4055 section 2.1 requires both to be accepted. */
    private static void sha384(DerReader in, String subject) {
        DerReader identifier = in.enter(DerReader.SEQUENCE, subject);
        in.expectEnd("after " + subject);
        objectId(identifier, SHA384, subject);
        if (identifier.has(DerReader.NULL)) {
            identifier.enter(DerReader.NULL, subject).expectEnd("NULL of " + subject);
        }
        identifier.expectEnd("after " + subject);
    }

    private static void objectId(DerReader in, byte[] expected, String subject) {
        byte[] found = in.enter(DerReader.OBJECT_ID, subject).rest();
        if (!Arrays.equals(found, expected)) {
            throw DerReader.bad(
                    subject,
                    "object id " + HexFormat.of().formatHex(found, 0, Math.min(16, found.length)),
                    HexFormat.of().formatHex(expected));
        }
    }

    private static BigInteger positive(byte[] bytes, String subject) {
        boolean shortest = bytes.length == 1 || bytes.length > 1 && (bytes[0] != 0 || bytes[1] < 0);
        if (!shortest || bytes[0] < 0) {
            throw DerReader.bad(subject, "not a positive integer in shortest form", "one");
        }
        return new BigInteger(bytes);
    }
}
