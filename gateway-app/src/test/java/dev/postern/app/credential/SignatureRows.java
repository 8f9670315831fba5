package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.INVALID;
import static dev.postern.app.credential.Material.SIGNED;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.odd;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Rules for authenticators that are almost valid. */
final class SignatureRows {

    private static final String RANGE = "RFC 8017 section 5.2.2";
    private static final String PSS = "RFC 8017 section 9.1.2";
    private static final String VERIFY = "RFC 9578 section 6.4";
    private static final String PREPARE = "RFC 9474 section 4.1";

    private SignatureRows() {}

    static List<Row> rows() {
        return Stream.of(
                        Stream.of(odd(
                                "signed again under another salt",
                                "RFC 9577 section 2.2.2",
                                m -> m.line(m.signedBy(m.mints().current(), m.signed())))),
                        bits(),
                        numbers(),
                        schemes(),
                        messages(),
                        signers())
                .flatMap(s -> s)
                .toList();
    }

    private static Row forged(String name, String rule, Function<Material, byte[]> authenticator) {
        return bad(name, rule, INVALID, m -> m.line(m.withAuthenticator(authenticator.apply(m))));
    }

    private static Stream<Row> bits() {
        return Stream.of(
                forged("first bit of the authenticator flipped", VERIFY, m -> flipped(m.authenticator(), 0, 0x80)),
                forged("middle bit of the authenticator flipped", VERIFY, m -> flipped(m.authenticator(), 128, 0x10)),
                forged("last bit of the authenticator flipped", VERIFY, m -> flipped(m.authenticator(), 255, 1)),
                forged(
                        "authenticator in the other byte order",
                        "RFC 8017 section 4.2",
                        m -> reversed(m.authenticator())),
                forged("authenticator shifted by a byte", "RFC 8017 section 4.2", m -> shifted(m.authenticator())));
    }

    private static Stream<Row> numbers() {
        return Stream.of(
                number("s = 0", m -> BigInteger.ZERO),
                number("s = 1", m -> BigInteger.ONE),
                number("s = n - 1", m -> m.mints().modulus().subtract(BigInteger.ONE)),
                number("s = n", m -> m.mints().modulus()),
                number("s = n + 1", m -> m.mints().modulus().add(BigInteger.ONE)),
                number("s of all ones", m -> BigInteger.ONE.shiftLeft(2048).subtract(BigInteger.ONE)),
                number("n - s for s", m -> m.mints().modulus().subtract(new BigInteger(1, m.authenticator()))),
                number("s + n for a good s", SignatureRows::congruent));
    }

    private static Row number(String name, Function<Material, BigInteger> number) {
        return forged(name, RANGE, m -> block(number.apply(m)));
    }

    /** Returns a valid signature plus the modulus, which is equal modulo the modulus but out of range. */
    private static BigInteger congruent(Material m) {
        BigInteger sum;
        do {
            sum = new BigInteger(1, m.mints().current().sign(m.signed(), 48))
                    .add(m.mints().modulus());
        } while (sum.bitLength() > 2048);
        return sum;
    }

    private static Stream<Row> schemes() {
        return Stream.of(
                forged(
                        "PKCS1-v1_5 with SHA-384",
                        VERIFY,
                        m -> m.mints().current().sign(m.signed(), "SHA384withRSA")),
                forged(
                        "PKCS1-v1_5 with SHA-256",
                        VERIFY,
                        m -> m.mints().current().sign(m.signed(), "SHA256withRSA")),
                pss("PSS with SHA-256 all through", VERIFY, "SHA-256", "SHA-256", 32),
                pss("PSS with SHA-256 and a salt of 48", VERIFY, "SHA-256", "SHA-256", 48),
                pss("PSS with SHA-512", VERIFY, "SHA-512", "SHA-512", 48),
                pss("PSS with SHA-384 and MGF1 with SHA-1", VERIFY, "SHA-384", "SHA-1", 48),
                pss("PSS with SHA-384 and MGF1 with SHA-256", VERIFY, "SHA-384", "SHA-256", 48),
                pss("PSS without salt", "RFC 9474 section 5", "SHA-384", "SHA-384", 0),
                pss("PSS with a salt of 32", VERIFY, "SHA-384", "SHA-384", 32),
                pss("PSS with a salt of 47", VERIFY, "SHA-384", "SHA-384", 47),
                pss("PSS with a salt of 49", VERIFY, "SHA-384", "SHA-384", 49),
                pss("PSS with the longest salt", VERIFY, "SHA-384", "SHA-384", 206),
                forged(
                        "no padding at all",
                        VERIFY,
                        m -> m.mints().current().power(new BigInteger(1, sha384(m.signed())))),
                encoded("trailer of the encoding", em -> em.xor(BigInteger.valueOf(0xbc ^ 0xcc))),
                encoded("first bit of the encoding", em -> em.setBit(2047)));
    }

    private static Row pss(String name, String rule, String hash, String mask, int salt) {
        return forged(
                name,
                rule,
                m -> m.mints()
                        .current()
                        .sign(m.signed(), new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(mask), salt, 1)));
    }

    /** Changes one bit of a valid encoding, and then signs it. */
    private static Row encoded(String name, UnaryOperator<BigInteger> change) {
        return forged("changed " + name, PSS, m -> {
            BigInteger modulus = m.mints().modulus();
            BigInteger changed;
            do {
                BigInteger good = new BigInteger(1, m.mints().current().sign(m.signed(), 48));
                changed = change.apply(good.modPow(m.mints().current().key().exponent(), modulus));
            } while (changed.compareTo(modulus) >= 0);
            return m.mints().current().power(changed);
        });
    }

    private static Stream<Row> messages() {
        return Stream.of(
                message("hash of the message signed", VERIFY, m -> sha384(m.signed())),
                message("message signed behind random bytes", PREPARE, m -> Material.join(m.nonce(), m.signed())),
                message("message signed without the type", VERIFY, m -> Arrays.copyOfRange(m.signed(), 2, SIGNED)),
                message("message signed without the key id", VERIFY, m -> Arrays.copyOf(m.signed(), Material.KEY_ID)),
                message(
                        "challenge signed in place of its digest",
                        VERIFY,
                        m -> Material.join(
                                Arrays.copyOf(m.signed(), Material.DIGEST),
                                m.challengeBytes(),
                                Arrays.copyOfRange(m.signed(), Material.KEY_ID, SIGNED))),
                message("nonce alone signed", VERIFY, Material::nonce));
    }

    private static Row message(String name, String rule, Function<Material, byte[]> message) {
        return forged(name, rule, m -> m.mints().current().sign(message.apply(m), 48));
    }

    private static Stream<Row> signers() {
        return Stream.of(
                forged(
                        "signed by another key of the issuer",
                        "RFC 9578 section 6.5",
                        m -> m.mints().second().sign(m.signed(), 48)),
                forged(
                        "signed by another issuer",
                        "RFC 9578 section 6.5",
                        m -> m.mints().other().sign(m.signed(), 48)),
                forged(
                        "signed by an unknown key",
                        VERIFY,
                        m -> m.mints().unknown().sign(m.signed(), 48)));
    }

    private static byte[] flipped(byte[] bytes, int offset, int bit) {
        bytes[offset] ^= (byte) bit;
        return bytes;
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    private static byte[] shifted(byte[] bytes) {
        return Material.join(new byte[1], Arrays.copyOf(bytes, 255));
    }

    /** Returns the number in 256 bytes, which must suffice. */
    private static byte[] block(BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] block = new byte[256];
        int length = Math.min(bytes.length, block.length);
        System.arraycopy(bytes, bytes.length - length, block, block.length - length, length);
        return block;
    }

    private static byte[] sha384(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-384").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
