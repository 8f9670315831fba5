package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.AuthHeaderParser.Param;
import dev.postern.auth.token.AuthHeaderParser.Span;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of {@code PrivateToken token=...} (RFC 9577 section 2.2.2, RFC 9110 section 11.4): the token quoted or not, unknown parameters
 * ignored, ambiguous values rejected. Stateless and thread-safe.
 */
public final class TokenDecoder {

    private static final DecodeResult MISSING = new DecodeResult.Missing();
    private static final DecodeResult OTHER_SCHEME = new DecodeResult.OtherScheme();
    private static final DecodeResult GREASE = new DecodeResult.Grease();
    private static final DecodeResult UNSUPPORTED = new DecodeResult.Unsupported();

    private TokenDecoder() {}

    /** Decodes the text of a credential field, whose token may be of any type; null when there is no such field. */
    public static DecodeResult decode(@Nullable String credentials) {
        if (credentials == null) {
            return MISSING;
        }
        byte[] bytes = credentials.getBytes(ISO_8859_1);
        return decode(bytes, 0, bytes.length, type -> true);
    }

    /**
     * Decodes the credential field {@code bytes[start, end)}.
     *
     * @param enabled whether this gateway offers that token type; all others are unsupported, whatever follows the type
     */
    public static DecodeResult decode(byte[] bytes, int start, int end, Predicate<TokenType> enabled) {
        AuthHeaderParser parser = new AuthHeaderParser(bytes, start, end);
        Span scheme = parser.token();
        if (scheme == null) {
            return malformed("no scheme");
        }
        if (!scheme.equalsIgnoreCase("privatetoken")) {
            return parser.atEnd() || parser.spaces() ? OTHER_SCHEME : malformed("scheme not followed by a blank");
        }
        if (!parser.spaces()) {
            return malformed("scheme not followed by a blank");
        }
        List<Param> params = parser.paramsToEnd();
        if (params == null) {
            return malformed("not a list of distinct parameters");
        }
        for (Param param : params) {
            if (param.named("token")) {
                return token(param.value(), enabled);
            }
        }
        return malformed("no token parameter");
    }

    /** Returns whether the credential field {@code bytes[start, end)} has the scheme PrivateToken, well-formed or not. */
    public static boolean isPrivateToken(byte[] bytes, int start, int end) {
        Span scheme = new AuthHeaderParser(bytes, start, end).token();
        return scheme != null && scheme.equalsIgnoreCase("privatetoken");
    }

    private static DecodeResult token(Span text, Predicate<TokenType> enabled) {
        byte[] bytes = Base64Url.decode(text.bytes(), text.start(), text.end());
        if (bytes == null) {
            return malformed("token not in base64url");
        }
        if (bytes.length < 2) {
            return malformed("token without a type");
        }
        int value = Token.typeOf(bytes);
        TokenType type = TokenType.of(value);
        if (type == null) {
            return TokenType.isGrease(value) ? GREASE : UNSUPPORTED;
        }
        if (!enabled.test(type)) {
            return UNSUPPORTED;
        }
        Token token = Token.parse(bytes);
        return token != null ? new DecodeResult.Decoded(token) : malformed("length of token wrong for its type");
    }

    private static DecodeResult malformed(String reason) {
        return new DecodeResult.Malformed(reason);
    }
}
