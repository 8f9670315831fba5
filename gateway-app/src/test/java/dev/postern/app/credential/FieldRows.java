package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.GREASE;
import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.ExpectedResponse.MISSING;
import static dev.postern.app.credential.ExpectedResponse.NOT_HTTP;
import static dev.postern.app.credential.ExpectedResponse.TOO_LARGE;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.odd;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Rules for the field that contains the credential. */
final class FieldRows {

    private static final String TWO_FIELDS = "RFC 9110 section 5.3";

    private FieldRows() {}

    static List<Row> rows() {
        return Stream.of(unusual(), foreign(), several(), framing(), sizes())
                .flatMap(List::stream)
                .toList();
    }

    private static String good(Material m) {
        return "PrivateToken token=\"" + m.text() + "\"";
    }

    private static List<Row> unusual() {
        return List.of(
                odd(
                        "field name in capitals",
                        "RFC 9110 section 5.1",
                        m -> m.line(good(m))
                                .replace(m.form().field(), m.form().field().toUpperCase(Locale.ROOT))),
                odd(
                        "no blank after the colon",
                        "RFC 9112 section 5.1",
                        m -> m.form().field() + ":" + good(m) + "\r\n"),
                odd(
                        "white space around the value",
                        "RFC 9110 section 5.5",
                        m -> m.form().field() + ": \t " + good(m) + " \t \r\n"),
                odd(
                        "field named by Connection",
                        "RFC 9110 section 7.6.1",
                        m -> "Connection: " + m.form().field() + "\r\n" + m.line(good(m))),
                odd(
                        "Basic in the field of the other mode beside it",
                        "RFC 9110 section 11.7.2",
                        m -> m.form().otherField() + ": Basic YTpi\r\n" + m.line(good(m))));
    }

    private static List<Row> foreign() {
        return List.of(
                bad("no field", "RFC 9577 section 2.2", MISSING, m -> ""),
                bad(
                        "in the field of the other mode",
                        "RFC 9110 section 11.7.2",
                        MISSING,
                        m -> m.form().otherField() + ": " + good(m) + "\r\n"),
                bad(
                        "in a field whose name only ends so",
                        "RFC 9110 section 11.6.2",
                        MISSING,
                        m -> "X-" + m.line(good(m))),
                bad(
                        "in the field of challenges",
                        "RFC 9110 section 11.6.1",
                        MISSING,
                        m -> m.form().challengeField() + ": " + good(m) + "\r\n"),
                bad("in a cookie", "RFC 9577 section 2.2", MISSING, m -> "Cookie: PrivateToken=" + m.text() + "\r\n"));
    }

    private static List<Row> several() {
        return List.of(
                bad("the field twice", TWO_FIELDS, MALFORMED, m -> m.line(good(m)) + m.line(good(m))),
                bad(
                        "another scheme in a field before it",
                        TWO_FIELDS,
                        MALFORMED,
                        m -> m.line("Basic YTpi") + m.line(good(m))),
                bad(
                        "another scheme in a field after it",
                        TWO_FIELDS,
                        MALFORMED,
                        m -> m.line(good(m)) + m.line("Bearer abc")),
                bad("an empty field before it", TWO_FIELDS, MALFORMED, m -> m.line("") + m.line(good(m))),
                bad(
                        "one credential in two fields",
                        TWO_FIELDS,
                        MALFORMED,
                        m -> m.line("PrivateToken x=1") + m.line("token=\"" + m.text() + "\"")),
                bad(
                        "the field twice, named in different case",
                        "RFC 9110 section 5.1",
                        MALFORMED,
                        m -> m.line(good(m)) + m.line(good(m)).toLowerCase(Locale.ROOT)));
    }

    /** Framing that two parsers could read differently: the end is unknown, so nothing after it is read. */
    private static List<Row> framing() {
        return List.of(
                bad(
                        "blank before the colon",
                        "RFC 9112 section 5.1",
                        NOT_HTTP,
                        m -> m.form().field() + " : " + good(m) + "\r\n"),
                bad(
                        "folded line",
                        "RFC 9112 section 5.2",
                        NOT_HTTP,
                        m -> m.line("PrivateToken\r\n token=\"" + m.text() + "\"")),
                bad(
                        "line that ends in LF alone",
                        "RFC 9112 section 2.2",
                        NOT_HTTP,
                        m -> m.form().field() + ": " + good(m) + "\nX: y\r\n"),
                bad(
                        "CR alone in the value",
                        "RFC 9110 section 5.5",
                        NOT_HTTP,
                        m -> m.line("PrivateToken x=\"\r\", token=\"" + m.text() + "\"")),
                bad(
                        "NUL in the value",
                        "RFC 9110 section 5.5",
                        NOT_HTTP,
                        m -> m.line("PrivateToken x=\"\0\", token=\"" + m.text() + "\"")),
                bad(
                        "control character in a quoted-string",
                        "RFC 9110 section 5.6.4",
                        NOT_HTTP,
                        m -> m.line("PrivateToken x=\"\1\", token=\"" + m.text() + "\"")),
                bad(
                        "delete character as a quoted-pair",
                        "RFC 9110 section 5.6.4",
                        NOT_HTTP,
                        m -> m.line("PrivateToken x=\"\\\177\", token=\"" + m.text() + "\"")),
                bad(
                        "vertical tab as white space",
                        "RFC 9110 section 5.6.3",
                        NOT_HTTP,
                        m -> m.line("PrivateToken\13token=\"" + m.text() + "\"")));
    }

    private static List<Row> sizes() {
        return List.of(
                odd(
                        "parameter of 8 KiB beside it",
                        "RFC 9110 section 2.3",
                        m -> m.line("PrivateToken x=\"" + "y".repeat(8192) + "\", token=" + m.text())),
                bad(
                        "token of 11 KiB",
                        "RFC 9577 section 2.2.1",
                        MALFORMED,
                        m -> m.lineOf(m.text().repeat(24))),
                bad("GREASE of 11 KiB", "RFC 9577 section 6.2.1", GREASE, m -> m.lineOf("A".repeat(11 * 1024))),
                bad(
                        "head beyond its limit",
                        "RFC 6585 section 5",
                        TOO_LARGE,
                        m -> m.line("PrivateToken token=\"" + m.text() + "\", x=\"" + "y".repeat(20 * 1024) + "\"")));
    }
}
