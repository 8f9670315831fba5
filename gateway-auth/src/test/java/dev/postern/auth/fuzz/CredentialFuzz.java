package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.Decoding;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenDecoder;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Grammar of the field that holds the token (RFC 9110 section 11.4, RFC 9577 section 2.2.2): what is let through is exactly what the
 * grammar allows, and what surrounds the value in its buffer plays no part.
 */
public final class CredentialFuzz {

    private static final Set<String> REASONS = Set.of(
            "no scheme",
            "scheme not followed by a blank",
            "not a list of distinct parameters",
            "no token parameter",
            "token not in base64url",
            "token without a type",
            "length of token wrong for its type");

    private CredentialFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether a token was found. */
    static boolean accepts(byte[] input) {
        Decoding decoding = TokenDecoder.decode(input, 0, input.length);
        String text = new String(input, ISO_8859_1);
        Must.hold(decoding.getClass() == expected(text), "what the grammar says of it");
        Must.hold(decoding.getClass() == amid(text).getClass(), "the same whatever stands before and behind the value");
        String scheme = HeaderGrammar.scheme(text);
        Must.hold(
                TokenDecoder.isPrivateToken(input, 0, input.length) == "privatetoken".equals(scheme),
                "a token's scheme known without its token");
        if (decoding instanceof Decoding.Malformed malformed) {
            Must.hold(REASONS.contains(malformed.why()), "a reason that holds nothing of the credential");
        }
        if (!(decoding instanceof Decoding.Decoded decoded)) {
            return false;
        }
        Token token = decoded.token();
        Must.hold(Arrays.equals(token.bytes(), token(text)), "the token that stands there");
        Must.hold(sameToken(token, "PrivateToken token=\"" + token.encoded() + "\""), "the same token when quoted");
        Must.hold(sameToken(token, "privatetoken a=b, token=" + token.encoded()), "the same token in other words");
        return true;
    }

    private static Class<? extends Decoding> expected(String text) {
        String scheme = HeaderGrammar.scheme(text);
        if (scheme == null) {
            return Decoding.Malformed.class;
        }
        if (!scheme.equals("privatetoken")) {
            boolean ended = text.length() == scheme.length() || text.charAt(scheme.length()) == ' ';
            return ended ? Decoding.OtherScheme.class : Decoding.Malformed.class;
        }
        byte[] token = token(text);
        if (token == null || token.length < 2) {
            return Decoding.Malformed.class;
        }
        int type = (token[0] & 0xff) << 8 | token[1] & 0xff;
        if (TokenType.isGrease(type)) {
            return Decoding.Grease.class;
        }
        int length = TokenFuzz.length(token);
        if (length < 0) {
            return Decoding.Unsupported.class;
        }
        return token.length == length ? Decoding.Decoded.class : Decoding.Malformed.class;
    }

    private static byte @Nullable [] token(String text) {
        Map<String, String> params = HeaderGrammar.params(text.substring("privatetoken".length()));
        return params == null ? null : HeaderGrammar.base64(params.get("token"));
    }

    /** The same value in the middle of a buffer, between bytes that would change it if they were read. */
    private static Decoding amid(String text) {
        byte[] around = ("\"=,a" + text + "==\"").getBytes(ISO_8859_1);
        return TokenDecoder.decode(around, 4, 4 + text.length());
    }

    private static boolean sameToken(Token token, String credentials) {
        return TokenDecoder.decode(credentials) instanceof Decoding.Decoded again
                && Arrays.equals(again.token().bytes(), token.bytes());
    }
}
