package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.CredentialList;
import dev.postern.auth.token.DecodeResult;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenDecoder;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the parser of the token field (RFC 9110 section 11.4, RFC 9577 section 2.2.2): it accepts exactly the credentials of the grammar,
 * independent of the bytes around the value in its buffer.
 */
public final class CredentialFuzz {

    private CredentialFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a token was found. */
    static boolean accepts(byte[] input) {
        DecodeResult result = TokenDecoder.decode(input, 0, input.length, type -> true);
        String text = new String(input, ISO_8859_1);
        String described = describe(result);
        FuzzCheck.hold(described.equals(expected(text)), "the result of the grammar, without parts of the credential");
        FuzzCheck.hold(
                described.equals(describe(decodeInLargerBuffer(text))),
                "the same whatever stands before and behind the value");
        String scheme = HeaderGrammar.scheme(text);
        FuzzCheck.hold(
                TokenDecoder.isPrivateToken(input, 0, input.length) == "privatetoken".equals(scheme),
                "a token's scheme known without its token");
        if (!(result instanceof DecodeResult.Decoded decoded)) {
            return false;
        }
        Token token = decoded.token();
        FuzzCheck.hold(Arrays.equals(token.bytes(), token(text)), "the token that stands there");
        FuzzCheck.hold(CredentialList.withoutTokens(text).isEmpty(), "nothing left of it for the upstream");
        FuzzCheck.hold(
                sameToken(token, "PrivateToken token=\"" + token.encoded() + "\""), "the same token when quoted");
        FuzzCheck.hold(sameToken(token, "privatetoken a=b, token=" + token.encoded()), "the same token in other words");
        return true;
    }

    private static String describe(DecodeResult result) {
        return result instanceof DecodeResult.Malformed malformed
                ? malformed.why()
                : result.getClass().getSimpleName();
    }

    private static String expected(String text) {
        String scheme = HeaderGrammar.scheme(text);
        if (scheme == null) {
            return "no scheme";
        }
        boolean ours = scheme.equals("privatetoken");
        String rest = text.substring(scheme.length());
        if (!rest.startsWith(" ")) {
            return rest.isEmpty() && !ours ? "OtherScheme" : "scheme not followed by a blank";
        }
        if (!ours) {
            return "OtherScheme";
        }
        Map<String, String> params = HeaderGrammar.params(rest);
        return params == null ? "not a list of distinct parameters" : expected(params);
    }

    private static String expected(Map<String, String> params) {
        if (!params.containsKey("token")) {
            return "no token parameter";
        }
        byte[] token = HeaderGrammar.base64(params.get("token"));
        if (token == null || token.length < 2) {
            return token == null ? "token not in base64url" : "token without a type";
        }
        if (TokenType.isGrease((token[0] & 0xff) << 8 | token[1] & 0xff)) {
            return "Grease";
        }
        int length = TokenFuzz.length(token);
        if (length < 0) {
            return "Unsupported";
        }
        return token.length == length ? "Decoded" : "length of token wrong for its type";
    }

    private static byte @Nullable [] token(String text) {
        Map<String, String> params = HeaderGrammar.params(text.substring("privatetoken".length()));
        return params == null ? null : HeaderGrammar.base64(params.get("token"));
    }

    /** Decodes the same value in the middle of a buffer, between bytes that would change the result if they were read. */
    private static DecodeResult decodeInLargerBuffer(String text) {
        byte[] around = ("\"=,a" + text + "==\"").getBytes(ISO_8859_1);
        return TokenDecoder.decode(around, 4, 4 + text.length(), type -> true);
    }

    private static boolean sameToken(Token token, String credentials) {
        return TokenDecoder.decode(credentials) instanceof DecodeResult.Decoded base64
                && Arrays.equals(base64.token().bytes(), token.bytes());
    }
}
