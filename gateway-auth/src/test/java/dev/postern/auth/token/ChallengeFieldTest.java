package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.Vectors;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ChallengeFieldTest {

    static List<JsonNode> vectors() {
        return Vectors.list("rfc9577/http-header.json");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void readsTheHeadersOfRfc9577(JsonNode vector) {
        List<ChallengeField> fields =
                ChallengeField.parse(vector.path("WWW-Authenticate").asString());

        assertThat(fields).isNotNull();
        for (int i = 0; i < fields.size(); i++) {
            ChallengeField field = fields.get(i);
            assertThat(field.challenge()).isEqualTo(Vectors.bytes(vector, "token-challenge-" + i));
            assertThat(HexFormat.of().formatHex(field.tokenKey()))
                    .isEqualTo(vector.path("token-key-" + i).asString());
            long maxAge = vector.path("max-age-" + i).asLong(-1);
            assertThat(field.maxAge()).isEqualTo(maxAge);
        }
        assertThat(vector.has("token-challenge-" + fields.size())).isFalse();
    }

    @Test
    void readsWhatItWrites() {
        byte[] challenge = new TokenChallenge(2, "issuer.example", new byte[32], "a.example").encode();
        byte[] key = {1, 2, 3, 4};

        String value = ChallengeField.text(challenge, key, 599);

        assertThat(value).startsWith("PrivateToken challenge=\"AAI").endsWith("==\", max-age=\"599\"");
        List<ChallengeField> fields = ChallengeField.parse(value);
        assertThat(fields).hasSize(1);
        assertThat(fields.get(0).challenge()).isEqualTo(challenge);
        assertThat(fields.get(0).tokenKey()).isEqualTo(key);
        assertThat(fields.get(0).maxAge()).isEqualTo(599);
    }

    /** Padding without quotes is no token of the grammar, but other implementations write it. */
    @Test
    void readsPaddingWithoutQuotes() {
        List<ChallengeField> fields = ChallengeField.parse(
                "PrivateToken challenge=AAIAAA==,token-key=AAA=,max-age=60, PrivateToken challenge=AAEAAA==");

        assertThat(fields).hasSize(2);
        assertThat(fields.get(0).challenge()).containsExactly(0, 2, 0, 0);
        assertThat(fields.get(0).tokenKey()).containsExactly(0, 0);
        assertThat(fields.get(0).maxAge()).isEqualTo(60);
        assertThat(fields.get(1).challenge()).containsExactly(0, 1, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic realm=\"a, PrivateToken challenge=\", PrivateToken challenge=\"AAIA\"",
                "Negotiate, PrivateToken challenge=\"AAIA\"",
                "Negotiate abc/def==, privatetoken CHALLENGE=\"AAIA\"",
                "NTLM abc= , PrivateToken challenge=\"AAIA\"",
                "PrivateToken challenge=\"AAIA\", ,\t, max-age=soon",
                "PrivateToken challenge=\"AAIA\", Negotiate",
                "NTLM abc=,PrivateToken challenge = \"AAIA\" , unknown=\"\\\"x\\\"\"",
                ",, PrivateToken challenge=AAIA ,, Basic ,",
                "PrivateToken challenge=\"AA\\IA\", token-key=\"!\", max-age=soon",
                "PrivateToken token-key=\"AAAA\", PrivateToken challenge=\"AAIA\"",
                "Negotiate\t, PrivateToken challenge=\"AAIA\", Basic\t"
            })
    void findsThePrivateTokenChallengeAmongOthers(String value) {
        List<ChallengeField> fields = ChallengeField.parse(value);

        assertThat(fields).hasSize(1);
        assertThat(Base64Url.encode(fields.get(0).challenge())).isEqualTo("AAIA");
        assertThat(fields.get(0).maxAge()).isEqualTo(-1);
    }

    @Test
    void limitsParametersLikeCredentials() {
        String names = IntStream.range(0, 31).mapToObj(i -> "p" + i + "=1, ").collect(Collectors.joining());

        assertThat(ChallengeField.parse("PrivateToken " + names + "challenge=AAIA"))
                .hasSize(1);
        assertThat(ChallengeField.parse("PrivateToken " + names + "more=1, challenge=AAIA"))
                .isNull();
        assertThat(ChallengeField.parse("Digest " + names + "more=1, extra=1, PrivateToken challenge=AAIA"))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PrivateToken challenge=\"AAIA",
                "PrivateToken challenge=\"AAIA\" token-key=\"AAAA\"",
                "PrivateToken challenge=\"AAIA\", challenge=\"AAIA\"",
                "\"PrivateToken\"",
                "PrivateToken=",
                "Negotiate/, PrivateToken challenge=\"AAIA\"",
                "Negotiate\tabc, PrivateToken challenge=\"AAIA\"",
                "Basic a==b, PrivateToken challenge=\"AAIA\"",
                "PrivateToken challenge=AAIA===",
                "PrivateToken challenge=AAIAAA==b"
            })
    void refusesInvalidLists(String value) {
        assertThat(ChallengeField.parse(value)).isNull();
    }
}
