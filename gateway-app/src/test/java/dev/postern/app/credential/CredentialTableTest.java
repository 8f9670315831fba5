package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.token.TokenChallenge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the table has many rows, each with its own rule. */
class CredentialTableTest {

    private static final List<Row> ROWS = CredentialTable.rows();

    @Test
    void hasAtLeastAHundredAndTwentyRules() {
        assertThat(ROWS).hasSizeGreaterThanOrEqualTo(120);
    }

    @Test
    void namesEachRuleOnceWithItsSource() {
        assertThat(ROWS).extracting(Row::name).doesNotHaveDuplicates();
        assertThat(ROWS).extracting(Row::rule).allMatch(rule -> rule.matches("RFC \\d{4} section \\d+(\\.\\d+)*"));
    }

    @Test
    void sendsDifferentBytesForEachRule() {
        Material material = material();
        Map<String, String> sent = new HashMap<>();
        for (Row row : ROWS) {
            String fields = row.fields().apply(material);
            assertThat(sent.put(fields, row.name()))
                    .as("same bytes as %s", row.name())
                    .isNull();
            assertThat(fields.isEmpty() || fields.endsWith("\r\n"))
                    .as(row.name())
                    .isTrue();
        }
    }

    @Test
    void coversEveryResponse() {
        assertThat(ROWS).extracting(Row::expected).contains(ExpectedResponse.values());
        assertThat(ROWS).extracting(Row::token).contains(Row.Fate.values());
    }

    private static Material material() {
        TokenMints mints = TokenMints.fresh();
        byte[] challengeBytes = challenge(0);
        ForeignChallenges foreign = new ForeignChallenges(
                challenge(1), challenge(2), challenge(3), challenge(4), challenge(5), challenge(6));
        return new Material(RequestForm.ORIGIN_FORM, mints.good(challengeBytes), challengeBytes, mints, foreign);
    }

    private static byte[] challenge(int context) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) context;
        bytes[1] = 1;
        return new TokenChallenge(2, "issuer.example", bytes, "a.example,b.example").encode();
    }
}
