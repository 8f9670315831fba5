package dev.postern.app.credential;

import java.util.List;
import java.util.stream.Stream;

/**
 * Malformed, unusual and forged credentials, one rule each: the response that RFC 9110, 9112, 4648, 8017, 9474, 9577 and 9578 require, and
 * the state of the valid token that the credential was derived from.
 *
 * <p>Where the RFCs leave a choice, the responses are those of docs/refusals.md: malformed credentials get 400, well-formed credentials that
 * are not accepted get a challenge, and non-canonical encodings are malformed.
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
