package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndedPassesTest {

    private static final long HARD = 600;

    private final EndedPasses passes = new EndedPasses();

    @Test
    void remembersAPassUntilNoCookieClaimsIt() {
        passes.add("a", ended(10));
        passes.add("a", ended(5));
        assertThat(passes.has("a", HARD, 9)).isTrue();
        assertThat(passes.has("a", HARD, 10)).isFalse();
        assertThat(passes.has("b", HARD, 0)).isFalse();
        passes.sweep(9);
        assertThat(passes.size()).isOne();
        passes.sweep(10);
        assertThat(passes.size()).isZero();
    }

    @Test
    void forgetsAPassThatBeginsAnew() {
        passes.add("a", ended(10));
        passes.remove("a");
        assertThat(passes.has("a", HARD, 1)).isFalse();
    }

    @Test
    void tellsALaterPassOfTheSessionFromThoseThatEnded() {
        passes.add("a", ended(10));
        assertThat(passes.has("a", HARD - 1, 1)).as("an earlier one").isTrue();
        assertThat(passes.has("a", HARD + 1, 1)).isFalse();
        passes.add("a", new EndedPasses.Ended(10, HARD + 1));
        assertThat(passes.has("a", HARD + 1, 1)).isTrue();
    }

    @Test
    void hasABound() {
        for (int i = 0; i <= EndedPasses.MAX; i++) {
            passes.add("p" + i, ended(10));
        }
        assertThat(passes.size()).isEqualTo(EndedPasses.MAX);
        assertThat(passes.has("p" + EndedPasses.MAX, HARD, 9)).isTrue();
    }

    private static EndedPasses.Ended ended(long until) {
        return new EndedPasses.Ended(until, HARD);
    }
}
