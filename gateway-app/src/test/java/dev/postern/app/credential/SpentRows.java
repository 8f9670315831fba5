package dev.postern.app.credential;

import static dev.postern.app.credential.Row.late;

import java.util.List;

/** Rules for a redeemed token, in every form in which it could be taken for another one. */
final class SpentRows {

    private static final String SPENT = "RFC 9577 section 2.2.2";

    private SpentRows() {}

    static List<Row> rows() {
        return List.of(
                late("spent", SPENT, m -> m.lineOf(m.text())),
                late(
                        "spent, not quoted, scheme in capitals",
                        "RFC 9110 section 11.1",
                        m -> m.line("PRIVATETOKEN token=" + m.text())),
                late("spent, in quoted-pairs", "RFC 9110 section 5.6.4", m -> m.lineOf("\\" + m.text())),
                late(
                        "spent, among other parameters",
                        SPENT,
                        m -> m.line("PrivateToken a=b, token=" + m.text() + ", c=d")),
                late(
                        "spent, signed again under another salt",
                        SPENT,
                        m -> m.line(m.signedBy(m.mints().current(), m.signed()))),
                late(
                        "spent, responds to another window's challenge",
                        "RFC 9577 section 2.1.1.2",
                        m -> m.line(m.responding(m.foreign().previous()))),
                // The signature is verified first, so that forged tokens cannot query the ledger.
                new Row(
                        "spent, authenticator forged",
                        "RFC 9578 section 6.4",
                        ExpectedResponse.INVALID,
                        Row.Fate.SPENT_BEFORE,
                        m -> m.line(m.changed(bytes -> bytes[200] ^= 1))));
    }
}
