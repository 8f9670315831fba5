package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.odd;

import dev.postern.auth.token.Base64Url;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules for parameters: names, separators, quotes, and additional content. */
final class ParameterRows {

    private static final String PARAMETER = "RFC 9110 section 11.2";
    private static final String QUOTED = "RFC 9110 section 5.6.4";
    private static final String TOKEN = "RFC 9110 section 5.6.2";
    private static final String LIST = "RFC 9110 section 5.6.1";
    private static final String IGNORED = "RFC 9577 section 2.2.2";

    private ParameterRows() {}

    static List<Row> rows() {
        return Stream.of(good(), ignored(), names(), separators(), quotes())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the line with that text after {@code PrivateToken}. */
    private static Function<Material, String> params(Function<String, String> of) {
        return m -> m.line("PrivateToken " + of.apply(m.text()));
    }

    private static List<Row> good() {
        return List.of(
                odd("not quoted", PARAMETER, params(t -> "token=" + t)),
                odd("name in another case", PARAMETER, params(t -> "ToKeN=\"" + t + "\"")),
                odd("blanks around the equals sign", "RFC 9110 section 5.6.3", params(t -> "token = \"" + t + "\"")),
                odd("tabs around the equals sign", "RFC 9110 section 5.6.3", params(t -> "token\t=\t" + t)),
                odd(
                        "quoted-pairs",
                        QUOTED,
                        params(t -> "token=\"\\" + t.substring(0, 5) + "\\" + t.substring(5) + "\"")),
                odd(
                        "all of it in quoted-pairs",
                        QUOTED,
                        params(t -> "token=\"" + t.replaceAll("(.)", "\\\\$1") + "\"")),
                odd("empty elements of the list", "RFC 9110 section 5.6.1.2", params(t -> ", ,token=\"" + t + "\",,")),
                odd("tabs around commas", LIST, params(t -> "a=b\t,\ttoken=\"" + t + "\"")));
    }

    private static List<Row> ignored() {
        return List.of(
                odd("unknown parameter before it", IGNORED, params(t -> "x=1, token=\"" + t + "\"")),
                odd("unknown parameter after it", IGNORED, params(t -> "token=\"" + t + "\", x=1")),
                odd("realm", "RFC 9110 section 11.5", params(t -> "realm=\"site\", token=\"" + t + "\"")),
                odd("extensions", IGNORED, params(t -> "token=\"" + t + "\", extensions=\"AAAA\"")),
                odd(
                        "parameters of the challenge",
                        IGNORED,
                        m -> m.line("PrivateToken challenge=\"" + Base64Url.encode(m.challengeBytes()) + "\", token=\""
                                + m.text() + "\"")),
                odd("unknown parameter with an empty value", QUOTED, params(t -> "x=\"\", token=\"" + t + "\"")),
                odd("letters outside ASCII in quotes", QUOTED, params(t -> "x=\"\u00e9\u00ff\", token=\"" + t + "\"")),
                odd("tab in quotes", QUOTED, params(t -> "x=\"\t\", token=\"" + t + "\"")),
                odd("comma and another token in quotes", QUOTED, params(t -> "x=\"a, token=b\", token=\"" + t + "\"")),
                odd(
                        "escaped quotes and another token in quotes",
                        QUOTED,
                        params(t -> "x=\"a\\\", token=\\\"b\", token=\"" + t + "\"")),
                odd(
                        "another credential in quotes",
                        QUOTED,
                        params(t -> "x=\"PrivateToken token=b\", token=\"" + t + "\"")),
                odd("escaped backslash before the quote", QUOTED, params(t -> "x=\"\\\\\", token=\"" + t + "\"")),
                odd(
                        "name of every letter that names may have",
                        TOKEN,
                        params(t -> "!#$%&'*+-.^_`|~=1, token=\"" + t + "\"")),
                odd(
                        "names that only begin or end with token",
                        PARAMETER,
                        params(t -> "tokens=1, x-token=2, token*=3, token=\"" + t + "\"")),
                // Not in the RFC: another implementation writes it, see ADR 9.
                odd("padding behind a bare value", TOKEN, params(t -> "x=YQ==, token=\"" + t + "\"")),
                odd("thirty unknown parameters", IGNORED, params(t -> many(30) + "token=\"" + t + "\"")),
                bad(
                        "a thousand unknown parameters",
                        "RFC 9110 section 17.5",
                        MALFORMED,
                        params(t -> many(1000) + "token=\"" + t + "\"")));
    }

    private static List<Row> names() {
        return List.of(
                bad("no token among the parameters", IGNORED, MALFORMED, params(t -> "challenge=\"" + t + "\"")),
                bad("name that only begins with token", PARAMETER, MALFORMED, params(t -> "tokens=\"" + t + "\"")),
                bad("extended name of RFC 8187", PARAMETER, MALFORMED, params(t -> "token*=\"" + t + "\"")),
                bad("name in quotes", PARAMETER, MALFORMED, params(t -> "\"token\"=\"" + t + "\"")),
                bad("no name", PARAMETER, MALFORMED, params(t -> "=\"" + t + "\"")),
                bad("name alone", PARAMETER, MALFORMED, params(t -> "token")),
                bad("token twice", PARAMETER, MALFORMED, params(t -> "token=\"" + t + "\", token=\"" + t + "\"")),
                bad(
                        "token twice in different case",
                        PARAMETER,
                        MALFORMED,
                        params(t -> "token=\"" + t + "\", Token=\"" + t + "\"")),
                bad(
                        "a second token that is empty",
                        PARAMETER,
                        MALFORMED,
                        params(t -> "token=\"" + t + "\", token=\"\"")),
                bad("unknown parameter twice", PARAMETER, MALFORMED, params(t -> "a=1, A=2, token=\"" + t + "\"")));
    }

    private static List<Row> separators() {
        return List.of(
                bad("blank between parameters", LIST, MALFORMED, params(t -> "x=1 token=\"" + t + "\"")),
                bad("semicolon between parameters", LIST, MALFORMED, params(t -> "x=1; token=\"" + t + "\"")),
                bad("colon for the equals sign", PARAMETER, MALFORMED, params(t -> "token:\"" + t + "\"")),
                bad("two equals signs", PARAMETER, MALFORMED, params(t -> "token==" + t)),
                bad("no value", PARAMETER, MALFORMED, params(t -> "x=, token=\"" + t + "\"")),
                bad("slash in a bare value", TOKEN, MALFORMED, params(t -> "x=a/b, token=\"" + t + "\"")),
                bad(
                        "three equals signs behind a bare value",
                        TOKEN,
                        MALFORMED,
                        params(t -> "x=YQ===, token=\"" + t + "\"")),
                bad(
                        "text behind the padding of a bare value",
                        TOKEN,
                        MALFORMED,
                        params(t -> "x=YQ==a, token=\"" + t + "\"")),
                bad(
                        "letter outside ASCII in a bare value",
                        TOKEN,
                        MALFORMED,
                        params(t -> "x=\u00e9, token=\"" + t + "\"")),
                bad(
                        "comma in a bare value",
                        LIST,
                        MALFORMED,
                        params(t -> "token=" + t.substring(0, 236) + "," + t.substring(236))));
    }

    private static List<Row> quotes() {
        return List.of(
                bad("quote not closed", QUOTED, MALFORMED, params(t -> "token=\"" + t)),
                bad("quote not opened", QUOTED, MALFORMED, params(t -> "token=" + t + "\"")),
                bad("closing quote escaped", QUOTED, MALFORMED, params(t -> "token=\"" + t + "\\\"")),
                bad("backslash at the end", QUOTED, MALFORMED, params(t -> "token=\"" + t + "\\")),
                bad(
                        "unknown parameter whose quote swallows the token",
                        QUOTED,
                        MALFORMED,
                        params(t -> "x=\"1, token=\"" + t + "\"")),
                bad("text behind the closing quote", QUOTED, MALFORMED, params(t -> "token=\"" + t + "\"x")),
                bad(
                        "value in two pieces",
                        QUOTED,
                        MALFORMED,
                        params(t -> "token=\"" + t.substring(0, 236) + "\" \"" + t.substring(236) + "\"")),
                bad("single quotes", QUOTED, MALFORMED, params(t -> "token='" + t + "'")));
    }

    private static String many(int count) {
        return IntStream.range(0, count).mapToObj(i -> "p" + i + "=1, ").collect(Collectors.joining());
    }
}
