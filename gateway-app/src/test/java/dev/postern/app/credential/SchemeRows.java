package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.ExpectedResponse.MISSING;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.odd;

import java.util.List;
import java.util.stream.Stream;

/** Rules for the scheme and the text directly after it. */
final class SchemeRows {

    private static final String SCHEME = "RFC 9110 section 11.1";
    private static final String CREDENTIALS = "RFC 9110 section 11.4";

    private SchemeRows() {}

    static List<Row> rows() {
        return Stream.of(good(), others(), broken(), several())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Row> good() {
        return List.of(
                odd("scheme in another case", SCHEME, m -> m.line("pRIVATEtOKEN token=\"" + m.text() + "\"")),
                odd(
                        "several blanks after the scheme",
                        CREDENTIALS,
                        m -> m.line("PrivateToken    token=\"" + m.text() + "\"")));
    }

    private static List<Row> others() {
        return List.of(
                bad("Bearer", SCHEME, MISSING, m -> m.line("Bearer " + m.text())),
                bad("Basic", SCHEME, MISSING, m -> m.line("Basic " + m.text())),
                bad(
                        "scheme of the drafts",
                        "RFC 9577 section 6.1",
                        MISSING,
                        m -> m.line("PrivateAccessToken token=\"" + m.text() + "\"")),
                bad(
                        "scheme that only begins so",
                        SCHEME,
                        MISSING,
                        m -> m.line("PrivateTokens token=\"" + m.text() + "\"")),
                bad("scheme cut short", SCHEME, MISSING, m -> m.line("Private token=\"" + m.text() + "\"")),
                bad("scheme in two words", SCHEME, MISSING, m -> m.line("Private Token token=\"" + m.text() + "\"")),
                bad("the token alone, which is a scheme", CREDENTIALS, MISSING, m -> m.line(m.text())));
    }

    private static List<Row> broken() {
        return List.of(
                bad("empty value", "RFC 9110 section 11.6.2", MALFORMED, m -> m.line("")),
                bad("nothing but white space", "RFC 9110 section 5.5", MALFORMED, m -> m.line(" \t ")),
                bad("no scheme", CREDENTIALS, MALFORMED, m -> m.line("token=\"" + m.text() + "\"")),
                bad(
                        "comma before the scheme",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line(", PrivateToken token=\"" + m.text() + "\"")),
                bad("scheme in quotes", SCHEME, MALFORMED, m -> m.line("\"PrivateToken\" token=\"" + m.text() + "\"")),
                bad(
                        "letter outside ASCII in the scheme",
                        SCHEME,
                        MALFORMED,
                        m -> m.line("\u00deivateToken token=\"" + m.text() + "\"")),
                bad(
                        "tab after the scheme",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line("PrivateToken\ttoken=\"" + m.text() + "\"")),
                bad(
                        "comma after the scheme",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line("PrivateToken,token=\"" + m.text() + "\"")),
                bad(
                        "equals sign after the scheme",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line("PrivateToken=\"" + m.text() + "\"")),
                bad(
                        "colon after the scheme",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line("PrivateToken: token=\"" + m.text() + "\"")),
                bad("quote after the scheme", CREDENTIALS, MALFORMED, m -> m.line("PrivateToken\"" + m.text() + "\"")),
                bad("nothing after the scheme", "RFC 9577 section 2.2.2", MALFORMED, m -> m.line("PrivateToken")),
                bad(
                        "nothing but commas after the scheme",
                        "RFC 9110 section 5.6.1",
                        MALFORMED,
                        m -> m.line("PrivateToken ,,")),
                bad(
                        "token68 in place of parameters",
                        "RFC 9110 section 11.2",
                        MALFORMED,
                        m -> m.line("PrivateToken " + m.text())),
                bad(
                        "token68 and parameters",
                        CREDENTIALS,
                        MALFORMED,
                        m -> m.line("PrivateToken abc=, token=\"" + m.text() + "\"")));
    }

    private static List<Row> several() {
        return List.of(
                bad(
                        "two credentials in one field",
                        "RFC 9110 section 11.6.2",
                        MALFORMED,
                        m -> m.line(
                                "PrivateToken token=\"" + m.text() + "\", PrivateToken token=\"" + m.text() + "\"")),
                bad(
                        "another scheme behind it",
                        "RFC 9110 section 11.6.2",
                        MALFORMED,
                        m -> m.line("PrivateToken token=\"" + m.text() + "\", Basic YTpi")),
                bad(
                        "another scheme before it",
                        "RFC 9110 section 11.6.2",
                        MISSING,
                        m -> m.line("Basic YTpi, PrivateToken token=\"" + m.text() + "\"")),
                bad(
                        "parameters of another scheme before it",
                        "RFC 9110 section 11.4",
                        MISSING,
                        m -> m.line("Digest a=\"b\", PrivateToken token=\"" + m.text() + "\"")));
    }
}
