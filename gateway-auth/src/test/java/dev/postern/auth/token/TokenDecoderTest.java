package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests unusual credentials: each line is one rule of RFC 9110 section 11 or RFC 9577 section 2.2. */
class TokenDecoderTest {

    private static final byte[] BYTES = bytes(0x0002, 354);
    private static final String GOOD = Base64Url.encode(BYTES);

    /** A token of type 1, which ends with padding. */
    private static final String PADDED = Base64Url.encode(bytes(0x0001, 146));

    static Stream<Arguments> wellFormed() {
        return Stream.of(
                good("quoted", "PrivateToken token=\"" + GOOD + "\""),
                good("not quoted", "PrivateToken token=" + GOOD),
                good("scheme in another case", "pRIVATEtOKEN token=" + GOOD),
                good("name in another case", "PrivateToken TOKEN=\"" + GOOD + "\""),
                good("several blanks after the scheme", "PrivateToken    token=" + GOOD),
                good("blanks and tabs around the equals sign", "PrivateToken token \t=\t \"" + GOOD + "\""),
                good("quoted-pair", "PrivateToken token=\"\\A\\" + GOOD.substring(1) + "\""),
                good("unknown parameter before", "PrivateToken x=\"1\", token=" + GOOD),
                good("unknown parameter after", "PrivateToken token=" + GOOD + ", extensions=\"AAAA\""),
                good("comma and quote inside an unknown one", "PrivateToken x=\"a, token=\\\"b\\\"\", token=" + GOOD),
                good("empty list elements", "PrivateToken , ,token=" + GOOD + ",,"),
                good("white space around commas", "PrivateToken a=b \t,\t token=" + GOOD + " "));
    }

    static Stream<Arguments> malformed() {
        String unpadded = PADDED.substring(0, PADDED.length() - 1);
        String flipped = GOOD.substring(0, 471) + (GOOD.charAt(471) == 'A' ? 'B' : 'A');
        return Stream.of(
                bad("empty value", ""),
                bad("blank value", " "),
                bad("no parameter", "PrivateToken"),
                bad("no parameter, blank", "PrivateToken "),
                bad("tab after the scheme", "PrivateToken\ttoken=" + GOOD),
                bad("no blank after the scheme", "PrivateToken,token=" + GOOD),
                bad("equals sign after the scheme", "PrivateToken=" + GOOD),
                bad("token68 instead of parameters", "PrivateToken " + GOOD),
                bad("token missing", "PrivateToken challenge=\"AAAA\""),
                bad("name only begins with token", "PrivateToken tokens=" + GOOD),
                bad("token twice", "PrivateToken token=" + GOOD + ", token=" + GOOD),
                bad("token twice in different case", "PrivateToken token=" + GOOD + ", Token=" + GOOD),
                bad("unknown parameter twice", "PrivateToken a=1, A=2, token=" + GOOD),
                bad("two credentials", "PrivateToken token=" + GOOD + ", PrivateToken token=" + GOOD),
                bad("two schemes", "PrivateToken token=" + GOOD + ", Basic YTpi"),
                bad("no comma between parameters", "PrivateToken a=1 token=" + GOOD),
                bad("quote not closed", "PrivateToken token=\"" + GOOD),
                bad("quote not opened", "PrivateToken token=" + GOOD + "\""),
                bad("backslash at the end", "PrivateToken token=\"" + GOOD + "\\"),
                bad("text after the quote", "PrivateToken token=\"" + GOOD + "\"x"),
                bad("control character in quotes", "PrivateToken x=\"\u0001\", token=" + GOOD),
                bad("delete character in a quoted-pair", "PrivateToken x=\"\\\u007f\", token=" + GOOD),
                bad("single quotes", "PrivateToken token='" + GOOD + "'"),
                bad("semicolon as separator", "PrivateToken a=1; token=" + GOOD),
                bad("colon instead of equals sign", "PrivateToken token:" + GOOD),
                bad("parameter without value", "PrivateToken token"),
                bad("value empty", "PrivateToken token="),
                bad("quoted value empty", "PrivateToken token=\"\""),
                bad("value of one byte", "PrivateToken token=\"AA==\""),
                bad("standard base64 alphabet", "PrivateToken token=\"" + '+' + GOOD.substring(1) + "\""),
                bad("slash of the standard alphabet", "PrivateToken token=\"" + '/' + GOOD.substring(1) + "\""),
                bad("blank inside", "PrivateToken token=\"" + GOOD.substring(0, 9) + ' ' + GOOD.substring(10) + "\""),
                bad("blank before", "PrivateToken token=\" " + GOOD + "\""),
                bad("surplus padding", "PrivateToken token=\"" + GOOD + "=\""),
                bad("surplus padding of a whole group", "PrivateToken token=\"" + GOOD + "====\""),
                bad("surplus padding in a bare token", "PrivateToken token=" + GOOD + "="),
                bad("surplus padding of a bare token of type 1", "PrivateToken token=" + PADDED + "="),
                bad("missing padding of a bare token", "PrivateToken token=" + unpadded),
                bad("text after the padding of a bare token", "PrivateToken token=" + PADDED + "A"),
                bad("nothing but padding", "PrivateToken token=="),
                bad("one character less", "PrivateToken token=" + GOOD.substring(1)),
                bad("one byte less", "PrivateToken token=\"" + Base64Url.encode(bytes(2, 353)) + "\""),
                bad("one byte more", "PrivateToken token=\"" + Base64Url.encode(bytes(2, 355)) + "\""),
                bad("two tokens in one value", "PrivateToken token=\"" + flipped + GOOD + "\""),
                bad("nothing but the type", "PrivateToken token=\"AAI=\""),
                bad("type 2 in the length of type 1", "PrivateToken token=\"" + Base64Url.encode(bytes(2, 146)) + "\""),
                bad("letter outside ASCII in the value", "PrivateToken token=\u00e9" + GOOD.substring(1)),
                bad("too many parameters", "PrivateToken " + many(40) + "token=" + GOOD));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wellFormed")
    void readsTokens(String rule, String credentials) {
        DecodeResult result = TokenDecoder.decode(credentials);

        assertThat(result).isInstanceOf(DecodeResult.Decoded.class);
        assertThat(((DecodeResult.Decoded) result).token().bytes()).isEqualTo(BYTES);
    }

    /** The grammar requires quotes around padding; other implementations omit them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"PrivateToken token=%s", "PrivateToken token=\"%s\"", "PrivateToken a=b=, token = %s , x=\"1\""})
    void readsPaddedTokensWithAndWithoutQuotes(String credentials) {
        DecodeResult result = TokenDecoder.decode(credentials.formatted(PADDED));

        assertThat(PADDED).endsWith("=");
        assertThat(result).isInstanceOf(DecodeResult.Decoded.class);
        assertThat(((DecodeResult.Decoded) result).token().encoded()).isEqualTo(PADDED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void refusesMalformedCredentials(String rule, String credentials) {
        assertThat(TokenDecoder.decode(credentials)).isInstanceOf(DecodeResult.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Basic YTpi", "Bearer abc.def", "PrivateTokens token=abc", "Digest a=\"b\", token=c", "Negotiate"
            })
    void ignoresOtherSchemes(String credentials) {
        assertThat(TokenDecoder.decode(credentials)).isInstanceOf(DecodeResult.OtherScheme.class);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x0000, 0x02AA, 0x1132, 0x2E96, 0x3CD3, 0x4473, 0x5A63, 0x6D32, 0x7F3F, 0x8D07, 0x916B, 0xA6A4, 0xBEAB,
                0xC3F3, 0xDA42, 0xE944, 0xF057
            })
    void recognisesGreaseOfAnyLength(int type) {
        for (int length : new int[] {2, 33, 354}) {
            String credentials = "PrivateToken token=\"" + Base64Url.encode(bytes(type, length)) + "\"";
            assertThat(TokenDecoder.decode(credentials)).isInstanceOf(DecodeResult.Grease.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0003, 0x0005, 0x0200, 0xDA7A, 0xDA7B, 0xE5AC, 0xFFFF})
    void distinguishesUnknownTypesFromMalformedTokens(int type) {
        String credentials = "PrivateToken token=\"" + Base64Url.encode(bytes(type, 354)) + "\"";

        assertThat(TokenDecoder.decode(credentials)).isInstanceOf(DecodeResult.Unsupported.class);
    }

    @Test
    void doesNotSupportATypeThatIsNotOffered() {
        byte[] credentials = ("PrivateToken token=" + GOOD).getBytes(US_ASCII);

        assertThat(TokenDecoder.decode(credentials, 0, credentials.length, type -> false))
                .isInstanceOf(DecodeResult.Unsupported.class);
    }

    @Test
    void saysWhyCredentialsAreMalformed() {
        assertThat(why("PrivateToken token")).isEqualTo("not a list of distinct parameters");
        assertThat(why("PrivateToken a=1, A=2, token=" + GOOD)).isEqualTo("not a list of distinct parameters");
        assertThat(why("PrivateToken a=1")).isEqualTo("no token parameter");
    }

    private static String why(String credentials) {
        return ((DecodeResult.Malformed) TokenDecoder.decode(credentials)).why();
    }

    @Test
    void returnsNoneWithoutCredentials() {
        assertThat(TokenDecoder.decode(null)).isInstanceOf(DecodeResult.Missing.class);
    }

    @Test
    void doesNotPrintRefusedCredentials() {
        malformed().forEach(line -> {
            DecodeResult result = TokenDecoder.decode((String) line.get()[1]);
            assertThat(((DecodeResult.Malformed) result).why()).doesNotContain(GOOD.substring(40, 50));
        });
    }

    @Test
    void handlesEveryMutationOfAValidCredential() {
        Random random = new Random(9577);
        byte[] good = ("PrivateToken token=\"" + GOOD + "\", x=\"y\\\"z\"").getBytes(US_ASCII);
        for (int i = 0; i < 20_000; i++) {
            byte[] mutated = good.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            int end = random.nextInt(3) == 0 ? random.nextInt(mutated.length) : mutated.length;
            DecodeResult result = TokenDecoder.decode(mutated, 0, end, type -> true);
            if (result instanceof DecodeResult.Decoded decoded) {
                assertThat(decoded.token().bytes()).hasSize(354);
            }
        }
    }

    private static Arguments good(String rule, String credentials) {
        return Arguments.of(rule, credentials);
    }

    private static Arguments bad(String rule, String credentials) {
        return Arguments.of(rule, credentials);
    }

    private static byte[] bytes(int type, int length) {
        byte[] bytes = new byte[length];
        new Random(type).nextBytes(bytes);
        bytes[0] = (byte) (type >> 8);
        bytes[1] = (byte) type;
        return bytes;
    }

    private static String many(int count) {
        StringBuilder params = new StringBuilder();
        for (int i = 0; i < count; i++) {
            params.append('p').append(i).append("=1,");
        }
        return params.toString();
    }
}
