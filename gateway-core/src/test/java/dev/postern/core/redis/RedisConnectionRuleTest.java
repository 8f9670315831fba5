package dev.postern.core.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RedisConnectionRuleTest {

    private static final long MADE = Long.MAX_VALUE - 1; // a ticker may wrap
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final RedisFault READONLY = RedisFault.of(new IllegalStateException("READONLY no"), false);
    private static final RedisFault OOM = RedisFault.of(new IllegalStateException("OOM no"), false);

    private final RedisConnectionRule rule = new RedisConnectionRule(MADE);

    @Test
    void keepsAConnectionWithoutCalls() {
        assertThat(rule.replace(MADE + 1000 * SECOND)).isFalse();
    }

    @Test
    void replacesAConnectionAfterThreeSecondsWithoutAGoodReply() {
        rule.bad(RedisFault.SILENCE, MADE + SECOND);
        rule.bad(OOM, MADE + 3 * SECOND);

        assertThat(rule.replace(MADE + 4 * SECOND - 1)).isFalse();
        assertThat(rule.replace(MADE + 4 * SECOND)).isTrue();
    }

    @Test
    void countsFromTheTimeAtWhichAReplyWasExpected() {
        rule.expected(MADE);
        rule.bad(RedisFault.SILENCE, MADE + 2 * SECOND);

        assertThat(rule.replace(MADE + 3 * SECOND)).isTrue();
    }

    @Test
    void keepsAConnectionWithGoodReplies() {
        for (int i = 0; i < 10; i++) {
            rule.bad(OOM, MADE + i * SECOND);
            rule.good();
        }

        assertThat(rule.replace(MADE + 10 * SECOND)).isFalse();
    }

    /** A replica still responds to calls that only read, such as those of a limit that is used up. */
    @Test
    void replacesAConnectionToAReplicaInSpiteOfGoodReplies() {
        rule.bad(READONLY, MADE + 5 * SECOND);
        rule.good();

        assertThat(rule.replace(MADE + 5 * SECOND)).isTrue();
    }

    @Test
    void makesAtMostOneConnectionASecond() {
        rule.bad(READONLY, MADE);

        assertThat(rule.replace(MADE + SECOND - 1)).isFalse();
        assertThat(rule.replace(MADE + SECOND)).isTrue();
    }
}
