package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Decoding;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenDecoder;
import java.util.Arrays;
import java.util.Locale;

/** Grammar of the field that holds the token (RFC 9110 section 11.4, RFC 9577 section 2.2.2). */
public final class CredentialFuzz {

    private CredentialFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Decoding decoding = TokenDecoder.decode(input, 0, input.length);
        if (decoding instanceof Decoding.Decoded decoded) {
            Token token = decoded.token();
            Must.hold(token.bytes().length == token.type().tokenLength(), "length of a token that was let through");
            String text = new String(input, ISO_8859_1);
            Must.hold(
                    text.toLowerCase(Locale.ROOT).startsWith("privatetoken "),
                    "scheme of a token that was let through");
            Must.hold(text.replace("\\", "").contains(token.encoded()), "the one spelling of a token");
            Must.hold(sameToken(token, "PrivateToken token=\"" + token.encoded() + "\""), "the same token when quoted");
            Must.hold(sameToken(token, "privatetoken a=b, token=" + token.encoded()), "the same token in other words");
            Must.hold(Arrays.equals(Base64Url.decode(token.encoded()), token.bytes()), "base64url there and back");
        }
    }

    private static boolean sameToken(Token token, String credentials) {
        return TokenDecoder.decode(credentials) instanceof Decoding.Decoded again
                && Arrays.equals(again.token().bytes(), token.bytes());
    }
}
