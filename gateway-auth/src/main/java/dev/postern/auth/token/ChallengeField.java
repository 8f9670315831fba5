package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.AuthHeaderParser.Param;
import dev.postern.auth.token.AuthHeaderParser.Span;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Challenge of a {@code WWW-Authenticate} or {@code Proxy-Authenticate} field (RFC 9577 section 2.1.2).
 *
 * @param challenge the encoded TokenChallenge, any type
 * @param tokenKey the key in the format of the type, or null when it was omitted
 * @param maxAge seconds for which the challenge is accepted, or -1 when the parameter was omitted
 */
public record ChallengeField(byte[] challenge, byte @Nullable [] tokenKey, long maxAge) {

    /**
     * Returns the field value of one challenge; all parameters are quoted, since padding is not allowed in a bare token.
     *
     * @param maxAge seconds for which the challenge is accepted, or -1 to omit the parameter
     */
    public static String text(byte[] challenge, byte[] tokenKey, long maxAge) {
        String text = "PrivateToken challenge=\"" + Base64Url.encode(challenge) + "\", token-key=\""
                + Base64Url.encode(tokenKey) + '"';
        return maxAge < 0 ? text : text + ", max-age=\"" + maxAge + '"';
    }

    /**
     * Parses the PrivateToken challenges of one field value, in the server's order; other schemes and challenges that a client must ignore
     * are left out (section 2.1). Returns null when the value is not a list of challenges.
     */
    public static @Nullable List<ChallengeField> parse(String value) {
        AuthHeaderParser parser = new AuthHeaderParser(value.getBytes(ISO_8859_1));
        List<ChallengeField> found = new ArrayList<>();
        while (true) {
            parser.white();
            if (parser.atEnd()) {
                return found;
            }
            if (parser.take(',')) {
                continue;
            }
            Span scheme = parser.token();
            List<Param> params = scheme == null ? null : params(parser);
            if (scheme == null || params == null) {
                return null;
            }
            ChallengeField field = scheme.equalsIgnoreCase("privatetoken") ? of(params) : null;
            if (field != null) {
                found.add(field);
            }
        }
    }

    /** Reads the parameters of one challenge, up to the comma before the next scheme. Returns null when they are malformed. */
    private static @Nullable List<Param> params(AuthHeaderParser parser) {
        List<Param> params = new ArrayList<>(4);
        if (!parser.spaces()) {
            parser.white();
            return parser.atEnd() || parser.take(',') ? params : null;
        }
        while (true) {
            Param param = parser.param();
            if (param == null) {
                return params.isEmpty() && !token68(parser) ? null : params;
            }
            if (!AuthHeaderParser.mayJoin(params, param)) {
                return null;
            }
            params.add(param);
            parser.white();
            if (!parser.take(',')) {
                return parser.atEnd() ? params : null;
            }
            do {
                parser.white();
            } while (parser.take(','));
        }
    }

    /** Skips a token68, which older schemes have instead of parameters. */
    private static boolean token68(AuthHeaderParser parser) {
        boolean more = true;
        while (more) {
            more = parser.token() != null || parser.take('/');
        }
        while (parser.take('=')) {
            // a token68 may end with any number of equals signs
        }
        parser.white();
        return parser.atEnd() || parser.take(',');
    }

    private static @Nullable ChallengeField of(List<Param> params) {
        byte[] challenge = null;
        byte[] tokenKey = null;
        long maxAge = -1;
        for (Param param : params) {
            if (param.named("challenge")) {
                challenge = Base64Url.decode(param.text());
            } else if (param.named("token-key")) {
                tokenKey = Base64Url.decode(param.text());
            } else if (param.named("max-age")) {
                maxAge = seconds(param.text());
            }
        }
        return challenge == null ? null : new ChallengeField(challenge, tokenKey, maxAge);
    }

    private static long seconds(String text) {
        boolean digits = !text.isEmpty() && text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : -1;
    }
}
