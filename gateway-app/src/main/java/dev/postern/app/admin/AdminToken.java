package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Token of an operator: a bearer token (RFC 6750). Only its digest is kept in memory. */
public final class AdminToken {

    private static final int SHORTEST = 16;

    private final String name;
    private final Rights rights;
    private final byte[] digest;

    private AdminToken(String name, Rights rights, byte[] digest) {
        this.name = name;
        this.rights = rights;
        this.digest = digest;
    }

    /** Rights of a token. */
    public enum Rights {
        READ,
        /** Changes, and reading too. */
        CHANGE
    }

    /**
     * Reads the token from the file, without surrounding white space.
     *
     * @param name for the log
     * @throws IllegalArgumentException with the reason, but not the token
     */
    public static AdminToken read(String name, Rights rights, Path file) throws IOException {
        String text = Files.readString(file).strip();
        if (text.length() < SHORTEST || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    text.length() + " characters (expected: " + SHORTEST + " or more of ASCII, without blanks)");
        }
        return new AdminToken(name, rights, digest(text));
    }

    String name() {
        return name;
    }

    Rights rights() {
        return rights;
    }

    /** Returns whether this is the token of that digest. All wrong values take the same time. */
    boolean matches(byte[] other) {
        return MessageDigest.isEqual(digest, other);
    }

    static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
