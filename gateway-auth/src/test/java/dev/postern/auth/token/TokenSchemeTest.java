package dev.postern.auth.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.issue.Issuance;
import dev.postern.auth.issue.IssuingKey;
import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.verify.SignatureProvider;
import java.security.SecureRandom;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests that every type in the table works from issuance to verification. */
class TokenSchemeTest {

    @Test
    void knowsBothTypesOfRfc9578() {
        assertThat(TokenScheme.types()).isEqualTo("1, 2");
        assertThat(Objects.requireNonNull(TokenType.of(1)).tokenLength()).isEqualTo(146);
        assertThat(Objects.requireNonNull(TokenType.of(2)).tokenLength()).isEqualTo(354);
        assertThat(TokenType.of(3)).isNull();
    }

    @Test
    void runsEveryTypeThroughAllItsRoles() {
        for (TokenScheme listed : TokenScheme.all()) {
            Issuance scheme = TokenScheme.of(listed.type(), Issuance.class);
            IssuingKey issuer = scheme.generate();
            IssuerKey published = issuer.published();
            IssuerKey read = IssuerKey.read(scheme.type(), published.encoded());
            PendingToken pending = scheme.begin(read, TokenChallenge.sha256(new byte[1]), new SecureRandom());

            Token token = pending.finish(
                    Objects.requireNonNull(issuer.sign(pending.request().blinded())));

            assertThat(pending.request().blinded()).hasSize(scheme.blindedLength());
            assertThat(token.type()).isEqualTo(scheme.type());
            assertThat(token.keyId()).isEqualTo(read.id());
            assertThat(read.type()).isEqualTo(scheme.type());
            assertThat(SignatureProvider.choose().check(published).accepts(token))
                    .isTrue();
            assertThat(TokenType.isGrease(scheme.type().value())).isFalse();
        }
    }

    @Test
    void refusesRolesOfUnknownTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenScheme.of(new TokenType(77, "x", 32, 1), Issuance.class))
                .withMessage("token-type: 77 (expected: one with Issuance: 1, 2)");
    }
}
