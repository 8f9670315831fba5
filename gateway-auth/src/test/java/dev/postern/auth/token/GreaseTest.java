package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.issue.TokenClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GreaseTest {

    private static final int MANY = 4000;
    private static final List<String> REAL = List.of(real("one.example"), real("two.example"));

    private final Grease grease = new Grease(new Random(9577));

    @Test
    void keepsRealChallengesInOrder() {
        for (int i = 0; i < MANY; i++) {
            List<String> response = response();

            List<String> left = response.stream().filter(REAL::contains).toList();
            assertThat(left).isEqualTo(REAL);
            assertThat(response).hasSizeBetween(2, 3);
        }
    }

    @Test
    void appearsInOneResponseOfFourAtAnyPosition() {
        int[] positions = new int[3];
        for (int i = 0; i < MANY; i++) {
            List<String> response = response();
            if (response.size() > REAL.size()) {
                positions[response.indexOf(added(response))]++;
            }
        }

        assertThat(positions[0] + positions[1] + positions[2]).isBetween(MANY / 4 - 100, MANY / 4 + 100);
        assertThat(Arrays.stream(positions)).allMatch(count -> count > MANY / 12 - 75);
    }

    @Test
    void usesEveryReservedTypeAndRandomContent() {
        Set<Integer> types = new HashSet<>();
        Set<Integer> lengths = new HashSet<>();
        Set<String> all = new HashSet<>();
        int count = 0;
        for (int i = 0; i < MANY; i++) {
            List<String> response = response();
            if (response.size() > REAL.size()) {
                ChallengeField field = parsed(added(response));
                types.add(Token.typeOf(field.challenge()));
                lengths.add(field.challenge().length);
                lengths.add(Objects.requireNonNull(field.tokenKey()).length);
                all.add(added(response));
                count++;
            }
        }

        assertThat(types).containsExactlyInAnyOrderElementsOf(TokenType.reserved());
        assertThat(types).hasSize(17).allMatch(TokenType::isGrease);
        assertThat(lengths).contains(16, 128).allMatch(length -> length >= 16 && length <= 128);
        assertThat(all).hasSize(count);
    }

    @Test
    void isSkippedByClients() {
        for (int i = 0; i < MANY; i++) {
            List<ChallengeField> challenges =
                    Objects.requireNonNull(ChallengeField.parse(String.join(", ", response())));

            ChallengeField first = Objects.requireNonNull(TokenClient.first(challenges));
            assertThat(first.challenge()).isEqualTo(parsed(REAL.get(0)).challenge());
        }
    }

    @Test
    void isTheSameForTheSameSeed() {
        Grease again = new Grease(new Random(9577));
        for (int i = 0; i < 100; i++) {
            List<String> response = new ArrayList<>(REAL);
            again.into(response, value -> value);
            assertThat(response).isEqualTo(response());
        }
    }

    private List<String> response() {
        List<String> response = new ArrayList<>(REAL);
        grease.into(response, value -> value);
        return response;
    }

    private static String added(List<String> response) {
        return response.stream().filter(c -> !REAL.contains(c)).findFirst().orElseThrow();
    }

    private static ChallengeField parsed(String value) {
        return Objects.requireNonNull(ChallengeField.parse(value)).get(0);
    }

    private static String real(String issuer) {
        byte[] challenge = new TokenChallenge(2, issuer, new byte[32], "a.example").encode();
        return ChallengeField.text(challenge, new byte[342], 600);
    }
}
