package dev.postern.auth.fuzz;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;

/** Encoder of the SubjectPublicKeyInfo of type 2 with consistent lengths: a mutation with wrong lengths would only test the first check. */
final class Spki {

    private static final byte[] PSS = hex("06092a864886f70d01010a");
    private static final byte[] MGF1 = hex("06092a864886f70d010108");
    private static final byte[] SHA384 = hex("0609608648016503040202");
    private static final byte[] NULL = hex("0500");
    private static final byte[] NONE = {};
    private static final byte[] SALT = tlv(0xa2, integer(BigInteger.valueOf(48)));
    private static final byte[] EXPONENT = integer(BigInteger.valueOf(65537));
    private static final byte[] MODULUS = integer(BigInteger.ONE.shiftLeft(2048).subtract(BigInteger.ONE));

    /** Inserts the bytes as the content of one element of the key; all other elements are valid. */
    static final List<UnaryOperator<byte[]>> FRAMES = List.of(
            x -> sequence(x),
            x -> sequence(sequence(x), bits(numbers(MODULUS))),
            x -> withParams(x),
            x -> withParams(tlv(0xa0, x), mask(NONE), SALT),
            x -> withParams(tlv(0xa0, sequence(x)), mask(NONE), SALT),
            x -> withParams(hash(NONE), tlv(0xa1, x), SALT),
            x -> withParams(hash(NONE), tlv(0xa1, sequence(x)), SALT),
            x -> withParams(hash(NONE), tlv(0xa1, sequence(MGF1, sequence(x))), SALT),
            x -> withParams(hash(NONE), mask(NONE), tlv(0xa2, x)),
            x -> withParams(hash(NONE), mask(NONE), tlv(0xa2, tlv(2, x))),
            x -> withBits(x),
            x -> withBits(new byte[1], x),
            x -> withBits(new byte[1], sequence(x)),
            x -> withBits(new byte[1], sequence(tlv(2, x), EXPONENT)),
            x -> withBits(new byte[1], sequence(MODULUS, tlv(2, x))),
            // Inserts the bytes after a complete element.
            x -> join(withParams(hash(NONE), mask(NONE), SALT), x),
            x -> sequence(algorithm(), bits(numbers(MODULUS)), x),
            x -> sequence(sequence(PSS, sequence(hash(NONE), mask(NONE), SALT), x), bits(numbers(MODULUS))),
            x -> withParams(hash(NONE), mask(NONE), SALT, x),
            x -> withParams(tlv(0xa0, sequence(SHA384), x), mask(NONE), SALT),
            x -> withParams(hash(x), mask(NONE), SALT),
            x -> withParams(hash(NONE), tlv(0xa1, sequence(MGF1, sequence(SHA384)), x), SALT),
            x -> withParams(hash(NONE), tlv(0xa1, sequence(MGF1, sequence(SHA384), x)), SALT),
            x -> withParams(hash(NONE), mask(x), SALT),
            x -> withParams(hash(NONE), mask(NONE), tlv(0xa2, integer(BigInteger.valueOf(48)), x)),
            x -> withBits(new byte[1], numbers(MODULUS), x),
            x -> withBits(new byte[1], sequence(MODULUS, EXPONENT, x)));

    private Spki() {}

    /** Returns all valid encodings of that key: each AlgorithmIdentifier of SHA-384 with or without NULL. */
    static List<byte[]> allOf(BigInteger modulus) {
        List<byte[]> all = new ArrayList<>();
        for (byte[] first : List.of(NONE, NULL)) {
            for (byte[] second : List.of(NONE, NULL)) {
                byte[] params = sequence(hash(first), mask(second), SALT);
                all.add(sequence(sequence(PSS, params), bits(numbers(integer(modulus)))));
            }
        }
        return all;
    }

    private static byte[] withParams(byte[]... params) {
        return sequence(sequence(PSS, sequence(params)), bits(numbers(MODULUS)));
    }

    private static byte[] withBits(byte[]... content) {
        return sequence(algorithm(), tlv(3, content));
    }

    private static byte[] algorithm() {
        return sequence(PSS, sequence(hash(NONE), mask(NONE), SALT));
    }

    private static byte[] hash(byte[] parameters) {
        return tlv(0xa0, sequence(SHA384, parameters));
    }

    private static byte[] mask(byte[] parameters) {
        return tlv(0xa1, sequence(MGF1, sequence(SHA384, parameters)));
    }

    private static byte[] bits(byte[] key) {
        return tlv(3, new byte[1], key);
    }

    private static byte[] numbers(byte[] modulus) {
        return sequence(modulus, EXPONENT);
    }

    private static byte[] integer(BigInteger value) {
        return tlv(2, value.toByteArray());
    }

    private static byte[] sequence(byte[]... parts) {
        return tlv(0x30, parts);
    }

    private static byte[] tlv(int tag, byte[]... parts) {
        byte[] content = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.length;
        if (length > 0xff) {
            out.writeBytes(new byte[] {(byte) 0x82, (byte) (length >> 8)});
        } else if (length > 0x7f) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
