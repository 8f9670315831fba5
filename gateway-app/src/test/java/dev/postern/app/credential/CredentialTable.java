package dev.postern.app.credential;

import java.util.List;
import java.util.stream.Stream;

/**
 * Bad, odd and forged credentials, each a rule of its own: how a gateway must answer them by RFC 9110, 9112, 4648, 8017, 9474, 9577 and
 * 9578, and what becomes of the good token that each is made of.
 *
 * <p>Where the RFCs leave a choice, the responses are those that docs/refusals.md promises: what is not well-formed is 400, what is
 * well-formed and no good here is challenged again, and malleable spellings are not well-formed.
 */
final class CredentialTable {

    private CredentialTable() {}

    static List<Row> rows() {
        return Stream.of(
                        FieldRows.rows(),
                        SchemeRows.rows(),
                        ParameterRows.rows(),
                        Base64UrlRows.rows(),
                        StructRows.rows(),
                        TypeRows.rows(),
                        SignatureRows.rows(),
                        ChallengeRows.rows(),
                        KeyRows.rows(),
                        SpentRows.rows())
                .flatMap(List::stream)
                .toList();
    }
}
