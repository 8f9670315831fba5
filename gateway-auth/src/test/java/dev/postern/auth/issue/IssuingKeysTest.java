package dev.postern.auth.issue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.voprf.VoprfP384;
import dev.postern.core.testing.ManualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which keys an issuer lists, signs with, and names to its clients. */
class IssuingKeysTest {

    private static final TokenType VOPRF = new VoprfP384().type();

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T12:00:00Z"));
    private final List<IssuerKey> made = new ArrayList<>();
    private final IssuingKeys keys = issuing(VOPRF);

    private IssuingKeys issuing(TokenType... types) {
        return new IssuingKeys(List.of(types), clock, key -> made.add(key.published()));
    }

    private static String directory(IssuingKeys keys) {
        return new String(keys.directory("/request"), UTF_8);
    }

    private static String listed(IssuerKey key) {
        return "\"" + Base64Url.encode(key.encoded()) + "\"";
    }

    private static TokenRequest request(IssuerKey key) {
        PendingToken pending = TokenScheme.of(key.type(), Issuance.class)
                .begin(key, TokenChallenge.sha256(new byte[0]), new SecureRandom());
        return pending.request();
    }

    @Test
    void listsTheNewestKeyFirst() {
        IssuerKey second = keys.rotate(Duration.ZERO);
        assertThat(made).extracting(IssuerKey::id).hasSize(2).last().isEqualTo(second.id());
        String directory = directory(keys);
        assertThat(directory).startsWith("{\"issuer-request-uri\":\"/request\",\"token-keys\":[{\"token-type\":1,");
        assertThat(directory).contains("\"not-before\":" + clock.instant().getEpochSecond() + "},{");
        assertThat(directory.indexOf(listed(second))).isPositive().isLessThan(directory.indexOf(listed(made.get(0))));
    }

    @Test
    void listsKeysInTheOrderOfTheirTypes() {
        IssuingKeys both = issuing(TokenType.BLIND_RSA, VOPRF);
        String directory = directory(both);
        assertThat(directory.indexOf("\"token-type\":2"))
                .isPositive()
                .isLessThan(directory.indexOf("\"token-type\":1"));
        assertThat(both.current(VOPRF).type()).isEqualTo(VOPRF);
        assertThat(both.rotate(Duration.ZERO).type()).as("the first type").isEqualTo(TokenType.BLIND_RSA);
    }

    @Test
    void clientsUseANewKeyWhenItsTimeHasCome() {
        IssuerKey first = keys.current(VOPRF);
        IssuerKey second = keys.rotate(Duration.ofMinutes(1));
        assertThat(keys.current(VOPRF)).isSameAs(first);
        clock.advance(Duration.ofMinutes(1));
        assertThat(keys.current(VOPRF)).isSameAs(second);
    }

    @Test
    void retiresOldKeysButNeverTheCurrentOne() {
        IssuerKey first = keys.current(VOPRF);
        IssuerKey second = keys.rotate(Duration.ZERO);
        IssuerKey third = keys.rotate(Duration.ofHours(1));
        keys.retire(1);
        assertThat(directory(keys)).contains(listed(second), listed(third)).doesNotContain(listed(first));
        clock.advance(Duration.ofHours(1));
        keys.retire(1);
        assertThat(directory(keys)).contains(listed(third)).doesNotContain(listed(second));
    }

    @Test
    void signsWithEachListedKey() {
        IssuerKey first = keys.current(VOPRF);
        IssuerKey second = keys.rotate(Duration.ZERO);
        assertThat(keys.sign(request(first))).isNotNull();
        assertThat(keys.sign(request(second))).isNotNull();
        keys.retire(1);
        assertThat(keys.sign(request(first))).as("retired").isNull();
    }

    @Test
    void signsNoOtherType() {
        TokenRequest request = request(keys.current(VOPRF));
        TokenRequest other = new TokenRequest(TokenType.BLIND_RSA, request.keyIdEnd(), new byte[256]);
        assertThat(keys.sign(other)).isNull();
    }

    @Test
    void refusesAnUnknownTypeAndNoTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.current(TokenType.BLIND_RSA))
                .withMessageStartingWith("token-type: 2 (expected: one of [");
        assertThatIllegalArgumentException()
                .isThrownBy(this::issuing)
                .withMessage("token-types: none (expected: one at least)");
    }
}
