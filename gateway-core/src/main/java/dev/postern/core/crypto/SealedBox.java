package dev.postern.core.crypto;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sealed box: seals values that only a holder of the ring can create, read or change: AES-256-GCM with a random nonce of 96 bits (NIST SP
 * 800-38D).
 *
 * <p>The text is unpadded base64url of {@code key tag (1) | nonce (12) | ciphertext | tag (16)}; only this canonical spelling can be
 * opened. Thread-safe.
 */
public final class SealedBox {

    private static final int NONCE = 12;
    private static final int TAG = 16;

    private final SecureRandom random = new SecureRandom();
    private final List<Key> keys;

    SealedBox(List<byte[]> keys) {
        this.keys = keys.stream().map(Key::new).toList();
    }

    /** Seals the bytes with the newest key; {@link #open} needs the same {@code bound}. */
    public String seal(byte[] plain, byte[] bound) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        Key key = keys.get(0);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, key, nonce, plain, 0, plain.length, bound);
        if (sealed == null) {
            throw new IllegalStateException("AES-GCM failed to encrypt");
        }
        ByteBuffer out = ByteBuffer.allocate(1 + NONCE + sealed.length);
        out.put(key.id).put(nonce).put(sealed);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }

    /** Returns the sealed bytes, or null for any text that this ring did not seal for that {@code bound} in exactly this spelling. */
    public byte @Nullable [] open(String text, byte[] bound) {
        byte[] raw;
        try {
            raw = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (raw.length < 1 + NONCE + TAG
                || !Base64.getUrlEncoder().withoutPadding().encodeToString(raw).equals(text)) {
            return null;
        }
        byte[] nonce = Arrays.copyOfRange(raw, 1, 1 + NONCE);
        for (Key key : keys) {
            if (key.id == raw[0]) {
                byte[] plain = run(Cipher.DECRYPT_MODE, key, nonce, raw, 1 + NONCE, raw.length - 1 - NONCE, bound);
                if (plain != null) {
                    return plain;
                }
            }
        }
        return null;
    }

    private static byte @Nullable [] run(
            int mode, Key key, byte[] nonce, byte[] input, int from, int length, byte[] bound) {
        try {
            Cipher cipher = key.cipher.get();
            cipher.init(mode, key.key, new GCMParameterSpec(TAG * 8, nonce));
            cipher.updateAAD(bound);
            return cipher.doFinal(input, from, length);
        } catch (GeneralSecurityException e) {
            return null; // forged, damaged, or sealed for another use: the caller treats all alike
        }
    }

    /** Key of one secret, and a cipher for each thread: creating and keying a cipher takes three times as long as processing a cookie. */
    private static final class Key {

        private final byte id;
        private final SecretKeySpec key;
        private final ThreadLocal<Cipher> cipher = ThreadLocal.withInitial(Key::find);

        Key(byte[] bytes) {
            id = Hkdf.hmac(bytes, new byte[] {'i', 'd'})[0];
            key = new SecretKeySpec(bytes, "AES");
        }

        private static Cipher find() {
            try {
                return Cipher.getInstance("AES/GCM/NoPadding");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES/GCM is missing, which every Java platform must have", e);
            }
        }
    }
}
