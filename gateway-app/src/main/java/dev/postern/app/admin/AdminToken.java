package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Token that authorizes changes: a bearer token (RFC 6750 section 2.1). Only its digest is kept in memory. */
public final class AdminToken {

    private static final int SHORTEST = 16;
    private static final String SCHEME = "Bearer ";

    private final byte[] digest;

    private AdminToken(byte[] digest) {
        this.digest = digest;
    }

    /**
     * Reads the token from the file, without surrounding white space.
     *
     * @throws IllegalArgumentException with the reason, but not the token
     */
    public static AdminToken read(Path file) throws IOException {
        String text = Files.readString(file).strip();
        if (text.length() < SHORTEST || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    text.length() + " characters (expected: " + SHORTEST + " or more of ASCII, without blanks)");
        }
        return new AdminToken(digest(text));
    }

    /** Returns whether the value of an Authorization field contains the token. All wrong values take the same time. */
    boolean allows(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        return MessageDigest.isEqual(
                digest, digest(authorization.substring(SCHEME.length()).strip()));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
