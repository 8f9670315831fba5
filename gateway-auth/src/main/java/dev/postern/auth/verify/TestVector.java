package dev.postern.auth.verify;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Properties;

/** Test vector for self-tests at start: the first of RFC 9578 appendix A.2. */
public record TestVector(RsaKey key, Token token) {

    /** Reads the vector; each caller has its own token. */
    public static TestVector read() {
        Properties vector = new Properties();
        try (InputStream in = TestVector.class.getResourceAsStream("self-test.properties")) {
            if (in == null) {
                throw new IllegalStateException("self-test.properties: missing (expected: beside this class)");
            }
            vector.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] token = HexFormat.of().parseHex(vector.getProperty("token"));
        return new TestVector(
                RsaKey.of(new BigInteger(vector.getProperty("modulus"), 16)),
                Objects.requireNonNull(Token.parse(token)));
    }
}
