package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.GREASE;
import static dev.postern.app.credential.ExpectedResponse.INVALID;
import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.ExpectedResponse.UNKNOWN_KEY;
import static dev.postern.app.credential.ExpectedResponse.UNSUPPORTED;
import static dev.postern.app.credential.ExpectedResponse.WRONG_CHALLENGE;
import static dev.postern.app.credential.Material.DIGEST;
import static dev.postern.app.credential.Material.KEY_ID;
import static dev.postern.app.credential.Material.NONCE;
import static dev.postern.app.credential.Material.SIGNED;
import static dev.postern.app.credential.Row.bad;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Rules for the structure of a token: truncated, too long, changed, or with exchanged fields. */
final class StructRows {

    private static final String TOKEN = "RFC 9577 section 2.2.1";

    private StructRows() {}

    static List<Row> rows() {
        return Stream.of(cut(), surplus(), changed(), exchanged())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Row> cut() {
        return List.of(
                cut("in the nonce", NONCE + 31),
                cut("behind the nonce", DIGEST),
                cut("in the challenge digest", KEY_ID - 1),
                cut("behind the challenge digest", KEY_ID),
                cut("in the key id", SIGNED - 1),
                cut("behind the key id", SIGNED),
                cut("in the authenticator", SIGNED + 128),
                cut("before its last byte", SIGNED + 255),
                bad(
                        "first byte missing",
                        TOKEN,
                        UNSUPPORTED,
                        m -> m.line(withUnknownType(Arrays.copyOfRange(m.bytes(), 1, 354)))));
    }

    private static Row cut(String position, int length) {
        return bad("cut " + position, TOKEN, MALFORMED, m -> m.line(Arrays.copyOf(m.bytes(), length)));
    }

    /** Makes the second byte of the type and the first of the nonce a type that is not in the registry. */
    private static byte[] withUnknownType(byte[] shifted) {
        shifted[1] = 0x55;
        return shifted;
    }

    private static List<Row> surplus() {
        return List.of(
                bad("one byte more behind", TOKEN, MALFORMED, m -> m.line(Arrays.copyOf(m.bytes(), 355))),
                // Then the token begins with 0x0000.
                bad("one byte more in front", TOKEN, GREASE, m -> m.line(Material.join(new byte[1], m.bytes()))),
                bad("twice, one behind the other", TOKEN, MALFORMED, m -> m.line(Material.join(m.bytes(), m.bytes()))),
                bad(
                        "behind its length",
                        TOKEN,
                        UNSUPPORTED,
                        m -> m.line(Material.join(new byte[] {0x01, 0x62}, m.bytes()))),
                bad("type in four bytes", TOKEN, GREASE, m -> m.line(Material.join(new byte[2], m.bytes()))),
                bad(
                        "authenticator behind a zero byte",
                        "RFC 8017 section 8.1.2",
                        MALFORMED,
                        m -> m.line(Material.join(m.signed(), new byte[1], m.authenticator()))));
    }

    private static List<Row> changed() {
        return List.of(
                changed("first bit of the nonce", INVALID, bytes -> bytes[NONCE] ^= (byte) 0x80),
                changed("last bit of the nonce", INVALID, bytes -> bytes[DIGEST - 1] ^= 1),
                changed("nonce to zeros", INVALID, bytes -> Arrays.fill(bytes, NONCE, DIGEST, (byte) 0)),
                changed("first bit of the challenge digest", WRONG_CHALLENGE, bytes -> bytes[DIGEST] ^= (byte) 0x80),
                changed("last bit of the challenge digest", WRONG_CHALLENGE, bytes -> bytes[KEY_ID - 1] ^= 1),
                changed(
                        "challenge digest to zeros",
                        WRONG_CHALLENGE,
                        bytes -> Arrays.fill(bytes, DIGEST, KEY_ID, (byte) 0)),
                changed("first bit of the key id", UNKNOWN_KEY, bytes -> bytes[KEY_ID] ^= (byte) 0x80),
                changed("last bit of the key id", UNKNOWN_KEY, bytes -> bytes[SIGNED - 1] ^= 1),
                changed("key id to zeros", UNKNOWN_KEY, bytes -> Arrays.fill(bytes, KEY_ID, SIGNED, (byte) 0)));
    }

    private static Row changed(String subject, ExpectedResponse expected, Consumer<byte[]> change) {
        return bad("changed " + subject, TOKEN, expected, m -> m.line(m.changed(change)));
    }

    private static List<Row> exchanged() {
        return List.of(
                bad(
                        "nonce and challenge digest exchanged",
                        TOKEN,
                        WRONG_CHALLENGE,
                        m -> m.line(m.changed(bytes -> exchange(bytes, NONCE, DIGEST)))),
                bad(
                        "challenge digest and key id exchanged",
                        TOKEN,
                        UNKNOWN_KEY,
                        m -> m.line(m.changed(bytes -> exchange(bytes, DIGEST, KEY_ID)))),
                bad(
                        "authenticator of another good token",
                        TOKEN,
                        INVALID,
                        m -> m.line(m.withAuthenticator(Arrays.copyOfRange(
                                m.mints().current().token(m.challengeBytes()).bytes(), SIGNED, 354)))));
    }

    private static void exchange(byte[] bytes, int one, int two) {
        byte[] first = Arrays.copyOfRange(bytes, one, one + 32);
        System.arraycopy(bytes, two, bytes, one, 32);
        System.arraycopy(first, 0, bytes, two, 32);
    }
}
