package dev.postern.core.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Key ring: the secrets that all replicas share. The first secret signs, all secrets verify, and each use derives keys of its own (HKDF,
 * RFC 5869).
 *
 * <p>Immutable and thread-safe. Each secret is 32 bytes; a ring file has one base64 line per secret.
 */
public final class KeyRing {

    /** Bytes of one secret. */
    public static final int SECRET_LENGTH = 32;

    private static final int FINGERPRINT_LENGTH = 4;

    private final List<byte[]> secrets;

    private KeyRing(List<byte[]> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("key ring: 0 secrets (expected: at least one line)");
        }
        this.secrets = secrets;
    }

    /** Reads a ring from its lines; empty lines and lines that start with {@code #} are skipped. */
    public static KeyRing of(List<String> lines) {
        List<byte[]> secrets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).trim();
            if (!line.isEmpty() && !line.startsWith("#")) {
                secrets.add(secret(line, i + 1));
            }
        }
        return new KeyRing(secrets);
    }

    public static KeyRing read(Path file) throws IOException {
        return of(Files.readAllLines(file));
    }

    /** Creates a ring with a random secret that no other process has; values sealed with this ring are worthless after a restart. */
    public static KeyRing random() {
        return of(List.of(newLine()));
    }

    /** Creates a random line for a ring file. */
    public static String newLine() {
        byte[] secret = new byte[SECRET_LENGTH];
        new SecureRandom().nextBytes(secret);
        return Base64.getEncoder().encodeToString(secret);
    }

    /**
     * Returns 8 hexadecimal digits for each secret, in order: replicas with the same ring have the same. They tell nothing about a secret,
     * since they are derived by HKDF.
     */
    public List<String> fingerprints() {
        return secrets.stream()
                .map(secret -> HexFormat.of().formatHex(Hkdf.derive(secret, "fingerprint"), 0, FINGERPRINT_LENGTH))
                .toList();
    }

    /** Returns a pseudo-random function of this ring for one use; the functions of two uses share no key. */
    public Prf prf(String use) {
        return new Prf(secrets.stream().map(s -> Hkdf.derive(s, "prf:" + use)).toList());
    }

    /** Returns a sealed box of this ring for one use. */
    public SealedBox seal(String use) {
        return new SealedBox(
                secrets.stream().map(s -> Hkdf.derive(s, "seal:" + use)).toList());
    }

    /** Returns a key of 32 bytes for one use from each secret, the signing one first. */
    public List<byte[]> keys(String use) {
        return secrets.stream().map(s -> Hkdf.derive(s, "key:" + use)).toList();
    }

    /** Compares the secrets: equal rings make equal values. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyRing ring && Arrays.deepEquals(secrets.toArray(), ring.secrets.toArray());
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(secrets.toArray());
    }

    private static byte[] secret(String line, int number) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            secret = new byte[0];
        }
        if (secret.length != SECRET_LENGTH) {
            // The message must not contain the line, which is a secret even if malformed.
            throw new IllegalArgumentException("key ring line " + number + ": " + secret.length
                    + " bytes (expected: base64 of 32 bytes, as postern secret new prints)");
        }
        return secret;
    }
}
