package dev.postern.app.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.token.TokenChallenge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** That the table is one: many rows, each a rule of its own. */
class CredentialTableTest {

    private static final List<Row> ROWS = CredentialTable.rows();

    @Test
    void hasAHundredAndTwentyRulesAtLeast() {
        assertThat(ROWS).hasSizeGreaterThanOrEqualTo(120);
    }

    @Test
    void namesEachRuleOnceAndSaysWhereItIsWritten() {
        assertThat(ROWS).extracting(Row::name).doesNotHaveDuplicates();
        assertThat(ROWS).extracting(Row::rule).allMatch(rule -> rule.matches("RFC \\d{4} section \\d+(\\.\\d+)*"));
    }

    @Test
    void sendsOtherBytesForEachRule() {
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
    void expectsEveryResponseSomewhere() {
        assertThat(ROWS).extracting(Row::expected).contains(Expected.values());
        assertThat(ROWS).extracting(Row::token).contains(Row.Fate.values());
    }

    private static Material material() {
        Mints mints = Mints.fresh();
        byte[] asked = challenge(0);
        Elsewhere elsewhere =
                new Elsewhere(challenge(1), challenge(2), challenge(3), challenge(4), challenge(5), challenge(6));
        return new Material(Door.ORIGIN_FORM, mints.good(asked), asked, mints, elsewhere);
    }

    private static byte[] challenge(int context) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) context;
        bytes[1] = 1;
        return new TokenChallenge(2, "issuer.example", bytes, "a.example,b.example").encode();
    }
}
