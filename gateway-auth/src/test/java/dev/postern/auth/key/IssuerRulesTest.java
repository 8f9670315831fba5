package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.key.IssuerDirectory.ListedKey;
import dev.postern.auth.key.IssuerSettings.Rules;
import dev.postern.auth.testing.TokenMint;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IssuerRulesTest {

    private static final RsaKey ONE = TokenMint.shared().key();
    private static final RsaKey TWO = TokenMint.fresh().key();
    private static final IssuerDirectory BOTH =
            new IssuerDirectory("/", List.of(new ListedKey(ONE, Instant.EPOCH), new ListedKey(TWO, Instant.EPOCH)));

    @Test
    void acceptsAllKeysWithoutPins() {
        assertThat(Rules.NONE.pinned(BOTH)).isEqualTo(BOTH);
    }

    @Test
    void acceptsPinnedKeysOnly() {
        Rules rules = new Rules(Set.of(TWO.id().toString().toUpperCase(Locale.ROOT)), Set.of(), null);

        assertThat(rules.pinned(BOTH).keys()).extracting(k -> k.key().id()).containsExactly(TWO.id());
        assertThat(rules.pinned(BOTH).requestUri()).isEqualTo("/");
    }

    @Test
    void refusesADirectoryWithoutPinnedKeys() {
        Rules rules = new Rules(Set.of("00".repeat(32)), Set.of(), null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.pinned(BOTH))
                .withMessageContaining("none of the 2 is pinned");
    }

    @Test
    void refusesInvalidKeyIds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rules(Set.of("abc"), Set.of(), null))
                .withMessageContaining("issuers.pin: abc (expected: 64 hex digits)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rules(Set.of(), Set.of("x".repeat(64)), null))
                .withMessageContaining("issuers.revoked");
    }
}
