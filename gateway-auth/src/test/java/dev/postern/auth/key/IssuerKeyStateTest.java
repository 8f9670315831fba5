package dev.postern.auth.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.key.IssuerDirectory.ListedKey;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.TokenType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IssuerKeyStateTest {

    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration SKEW = Duration.ofSeconds(30);
    private static final RsaKey OLD = TokenMint.shared().key();
    private static final RsaKey NEW = TokenMint.fresh().key();

    private IssuerKeyState state = new IssuerKeyState("issuer.example", Duration.ofMinutes(5), List.of());

    @Test
    void acceptsARetiredKeyDuringItsGracePeriod() {
        state.apply(listing(OLD, NEW), START);
        state.apply(listing(NEW), START.plusSeconds(60));

        assertThat(find(OLD, START.plusSeconds(60 + 299))).isNotNull();
        assertThat(find(OLD, START.plusSeconds(60 + 300))).isNull();
        assertThat(find(NEW, START.plusSeconds(60 + 300))).isNotNull();
    }

    @Test
    void doesNotExtendTheGracePeriodWithEachFetch() {
        state.apply(listing(OLD, NEW), START);
        state.apply(listing(NEW), START);
        state.apply(listing(NEW), START.plusSeconds(200));

        assertThat(find(OLD, START.plusSeconds(299))).isNotNull();
        assertThat(find(OLD, START.plusSeconds(301))).isNull();
        state.apply(listing(NEW), START.plusSeconds(301));
        assertThat(state.accepted()).hasSize(1);
    }

    @Test
    void refusesARetiredKeyAtOnceWithoutGracePeriod() {
        state = new IssuerKeyState("issuer.example", Duration.ZERO, List.of());
        state.apply(listing(OLD), START);
        state.apply(listing(NEW), START);

        assertThat(find(OLD, START)).isNull();
    }

    @Test
    void acceptsAKeyThatIsListedAgain() {
        state.apply(listing(OLD), START);
        state.apply(listing(NEW), START);
        state.apply(listing(NEW, OLD), START.plusSeconds(10));

        assertThat(find(OLD, START.plusSeconds(3600))).isNotNull();
    }

    @Test
    void ignoresADirectoryWithoutKeys() {
        state.apply(listing(OLD), START);

        assertThatIllegalArgumentException().isThrownBy(() -> state.apply(listing(), START));
        assertThat(find(OLD, START)).isNotNull();
    }

    @Test
    void keepsStaticKeysThatTheDirectoryDoesNotList() {
        state = new IssuerKeyState("issuer.example", Duration.ZERO, List.of(OLD));
        state.apply(listing(NEW), START);

        assertThat(find(OLD, START)).isNotNull();
        assertThat(find(NEW, START)).isNotNull();
    }

    @Test
    void offersOnlyListedKeysThatAreValid() {
        state.apply(
                new IssuerDirectory(
                        "/", List.of(new ListedKey(NEW, START.plusSeconds(100)), new ListedKey(OLD, Instant.EPOCH))),
                START);

        assertThat(table().preferred("issuer.example", TokenType.BLIND_RSA, START.plusSeconds(99)))
                .hasToString(OLD.toString());
        assertThat(table().preferred("issuer.example", TokenType.BLIND_RSA, START.plusSeconds(100)))
                .hasToString(NEW.toString());
        assertThat(table().preferred("another.example", TokenType.BLIND_RSA, START))
                .isNull();
        state.apply(listing(NEW), START);
        assertThat(table().keys()).hasSize(2);
        assertThat(table().preferred("issuer.example", TokenType.BLIND_RSA, START))
                .hasToString(NEW.toString());
    }

    @Test
    void acceptsAKeyBeforeItsTimeOnlyWithinTheSkew() {
        state.apply(new IssuerDirectory("/", List.of(new ListedKey(NEW, START))), START);

        assertThat(find(NEW, START.minusSeconds(30))).isNotNull();
        assertThat(find(NEW, START.minusSeconds(31))).isNull();
        assertThat(table().usable(START.minusSeconds(31))).isFalse();
    }

    @Test
    void findsAKeyOnlyForItsOwnIssuer() {
        state.apply(listing(OLD), START);

        assertThat(table().knows(OLD.id())).isTrue();
        assertThat(table().find(OLD.id(), "another.example", START)).isNull();
        assertThat(table().knows(NEW.id())).isFalse();
    }

    private @Nullable IssuerKey find(RsaKey key, Instant now) {
        return table().find(key.id(), "issuer.example", now);
    }

    private KeyTable table() {
        return new KeyTable(state.accepted(), SKEW);
    }

    private static IssuerDirectory listing(RsaKey... keys) {
        return new IssuerDirectory(
                "/",
                List.of(keys).stream().map(k -> new ListedKey(k, Instant.EPOCH)).toList());
    }
}
