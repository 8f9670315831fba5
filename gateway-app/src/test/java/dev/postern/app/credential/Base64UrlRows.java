package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.GREASE;
import static dev.postern.app.credential.ExpectedResponse.MALFORMED;
import static dev.postern.app.credential.ExpectedResponse.UNKNOWN_KEY;
import static dev.postern.app.credential.ExpectedResponse.UNSUPPORTED;
import static dev.postern.app.credential.Row.bad;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.token.Base64Url;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Rules for the text of a token: each value has one encoding, since any other would be a second token for software that compares texts. A
 * token of type 2 has 354 bytes, so its text never ends in padding; rules of padding use GREASE tokens, which may have any length.
 */
final class Base64UrlRows {

    private static final String ALPHABET = "RFC 4648 section 5";
    private static final String PADDING = "RFC 4648 section 3.2";
    private static final String FOREIGN = "RFC 4648 section 3.3";
    private static final String CANONICAL = "RFC 4648 section 3.5";
    private static final String WHOLE = "RFC 4648 section 4";

    private Base64UrlRows() {}

    static List<Row> rows() {
        return Stream.of(alphabet(), padding(), greased(), lengths(), encodings())
                .flatMap(List::stream)
                .toList();
    }

    private static Row bad64(String name, String rule, UnaryOperator<String> text) {
        return bad(name, rule, MALFORMED, m -> m.lineOf(text.apply(m.text())));
    }

    private static List<Row> alphabet() {
        return List.of(
                bad64("plus for a minus", ALPHABET, t -> t.replaceFirst("-", "+")),
                bad64("slash for an underscore", ALPHABET, t -> t.replaceFirst("_", "/")),
                bad64("blank inside", FOREIGN, t -> t.substring(0, 100) + ' ' + t.substring(100)),
                bad64("blank for a letter", FOREIGN, t -> t.substring(0, 100) + ' ' + t.substring(101)),
                bad64("blank before", FOREIGN, t -> ' ' + t),
                bad64("blank behind", FOREIGN, t -> t + ' '),
                bad64("tab inside", FOREIGN, t -> t.substring(0, 76) + '\t' + t.substring(76)),
                bad64("dot inside", FOREIGN, t -> t.substring(0, 236) + '.' + t.substring(236)),
                bad64("letter outside ASCII", FOREIGN, t -> '\u00c1' + t.substring(1)),
                bad64("a minus percent-encoded", FOREIGN, t -> t.replaceFirst("-", "%2D")));
    }

    private static List<Row> padding() {
        return List.of(
                bad64("surplus padding of one", PADDING, t -> t + "="),
                bad64("surplus padding of two", PADDING, t -> t + "=="),
                bad64("surplus padding of a whole group", PADDING, t -> t + "===="),
                bad64("surplus padding percent-encoded", PADDING, t -> t + "%3D"),
                bad64("padding in front", FOREIGN, t -> "====" + t),
                bad64("padding in the middle for a letter", FOREIGN, t -> t.substring(0, 200) + '=' + t.substring(201)),
                bad64(
                        "padding in the middle for a whole group",
                        FOREIGN,
                        t -> t.substring(0, 236) + "====" + t.substring(240)),
                bad64("nothing but padding", PADDING, t -> "===="));
    }

    private static List<Row> greased() {
        String two = Base64Url.encode(new byte[31]);
        String one = Base64Url.encode(new byte[32]);
        return List.of(
                bad("GREASE with its padding of one", PADDING, GREASE, m -> m.lineOf(one)),
                bad("GREASE with its padding of two", PADDING, GREASE, m -> m.lineOf(two)),
                bad("GREASE whose padding was left out", PADDING, MALFORMED, m -> m.lineOf(one.replace("=", ""))),
                bad("GREASE with half its padding", PADDING, MALFORMED, m -> m.lineOf(two.replace("==", "="))),
                bad("GREASE with padding beyond its own", PADDING, MALFORMED, m -> m.lineOf(one + "===")),
                bad("GREASE with two bits left over", CANONICAL, MALFORMED, m -> m.lineOf(one.replace("A=", "B="))),
                bad("GREASE with four bits left over", CANONICAL, MALFORMED, m -> m.lineOf(two.replace("A==", "B=="))));
    }

    private static List<Row> lengths() {
        return List.of(
                bad64("empty", WHOLE, t -> ""),
                bad64("one letter less", WHOLE, t -> t.substring(0, 471)),
                bad64("two letters less", WHOLE, t -> t.substring(0, 470)),
                bad64("one letter more", WHOLE, t -> t + 'A'),
                bad64("one letter less in front", WHOLE, t -> t.substring(1)));
    }

    private static List<Row> encodings() {
        return List.of(
                bad64("one byte, which is less than a type", "RFC 9577 section 2.2.1", t -> "AA=="),
                // 0002 as text is read as type 0xD34D.
                bad(
                        "in hex",
                        "RFC 9577 section 2.2.2",
                        UNSUPPORTED,
                        m -> m.lineOf(HexFormat.of().formatHex(m.bytes()))),
                // The text begins with AA, which is read as type 0x4141.
                bad(
                        "encoded twice",
                        "RFC 9577 section 2.2.2",
                        UNSUPPORTED,
                        m -> m.lineOf(Base64Url.encode(m.text().getBytes(US_ASCII)))),
                bad("in capitals", ALPHABET, UNKNOWN_KEY, m -> m.lineOf(m.text().toUpperCase(Locale.ROOT))));
    }
}
