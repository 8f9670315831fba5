package dev.postern.core.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869), for one block of 32 bytes and an empty salt. */
final class Hkdf {

    private Hkdf() {}

    static byte[] derive(byte[] secret, String info) {
        byte[] pseudoRandomKey = hmac(new byte[32], secret);
        byte[] use = ("postern:" + info).getBytes(UTF_8);
        byte[] block = Arrays.copyOf(use, use.length + 1);
        block[use.length] = 1;
        return hmac(pseudoRandomKey, block);
    }

    static byte[] hmac(byte[] key, byte[] message) {
        return mac(key).doFinal(message);
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing, which every Java platform must have", e);
        }
    }
}
