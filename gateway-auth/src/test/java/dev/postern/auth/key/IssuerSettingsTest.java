package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.key.IssuerDirectory.ListedKey;
import dev.postern.auth.testing.TestSettings;
import dev.postern.auth.testing.TokenMint;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class IssuerSettingsTest {

    private static final RsaKey ONE = TokenMint.shared().key();
    private static final RsaKey TWO = TokenMint.fresh().key();
    private static final IssuerDirectory BOTH =
            new IssuerDirectory("/", List.of(new ListedKey(ONE, Instant.EPOCH), new ListedKey(TWO, Instant.EPOCH)));

    private static IssuerSettings issuer(List<String> pin, List<String> revoked) {
        IssuerSettings issuer = TestSettings.issuer("issuer.example", URI.create("https://issuer.example/"));
        return TestSettings.restricted(issuer, pin, revoked);
    }

    @Test
    void takesAllKeysWhereNoneIsPinned() {
        assertThat(issuer(List.of(), List.of()).pinned(BOTH)).isEqualTo(BOTH);
    }

    @Test
    void takesPinnedKeysOnly() {
        IssuerSettings issuer = issuer(List.of(TWO.id().toString()), List.of());

        assertThat(issuer.pinned(BOTH).keys()).extracting(k -> k.key().id()).containsExactly(TWO.id());
        assertThat(issuer.pinned(BOTH).requestUri()).isEqualTo("/");
    }

    @Test
    void callsADirectoryBadThatHasNoneOfThePinnedKeys() {
        IssuerSettings issuer = issuer(List.of("00".repeat(32)), List.of());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> issuer.pinned(BOTH))
                .withMessageContaining("none of the 2 is pinned");
    }

    @Test
    void refusesWhatIsNoKeyId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> issuer(List.of("abc"), List.of()))
                .withMessageContaining("pin.0: abc (expected: 64 hex digits: a key id)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> issuer(List.of(), List.of("x".repeat(64))))
                .withMessageContaining("revoked.0");
    }
}
