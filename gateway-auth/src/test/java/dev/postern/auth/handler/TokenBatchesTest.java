package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.testing.TestExchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when the tokens that one iteration of an event loop presents are verified, and in how many calls. */
class TokenBatchesTest extends TokenBatchFixture {

    @Test
    void verifiesTheTokensOfOneIterationInOneCall() {
        start();
        for (int count = 2; count <= 8; count++) {
            calls.set(0);
            passed.clear();
            List<TestExchange> exchanges = present(count, i -> token(FIRST));

            channel.runPendingTasks();

            assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
            assertThat(calls).as("%d tokens", count).hasValue(1);
        }
    }

    @Test
    void verifiesASingleTokenWithoutLanes() {
        start();
        List<TestExchange> good = present(1, i -> token(FIRST));
        channel.runPendingTasks();
        TestExchange bad = present(1, i -> forged()).get(0);
        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(good));
        assertThat(bad.status()).isEqualTo(401);
        assertThat(calls).hasValue(0);
    }

    @Test
    void verifiesAtTheEndOfTheIteration() {
        start();
        present(7, i -> token(FIRST));
        assertThat(passed).isEmpty();

        channel.runPendingTasks();

        assertThat(passed).hasSize(7);
    }

    @Test
    void verifiesAFullBatchAtOnceAndTheRestAtTheEnd() {
        start();
        List<TestExchange> exchanges = present(19, i -> token(FIRST));
        assertThat(passed).hasSize(16);
        assertThat(calls).hasValue(2);

        channel.runPendingTasks();

        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
        assertThat(calls).hasValue(3);
    }

    @Test
    void verifiesAtOnceWhereThereAreNoLanes() {
        provider = BatchProvider.none("not here");
        start();

        List<TestExchange> exchanges = present(9, i -> token(FIRST));

        assertThat(passed).containsExactlyElementsOf(exchanges(exchanges));
    }

    @Test
    void aTokenIsVerifiedUnderTheKeyThatWasAcceptedWhenItArrived() {
        start();
        List<TestExchange> before = present(3, i -> token(FIRST));
        keys = new KeyTable(List.of(accepted(SECOND, "issuer.example")), Duration.ZERO);
        List<TestExchange> after = present(3, i -> token(SECOND));
        TestExchange late = present(1, i -> token(FIRST)).get(0);

        channel.runPendingTasks();

        before.addAll(after);
        assertThat(passed).containsExactlyElementsOf(exchanges(before));
        assertThat(late.status()).isEqualTo(401);
        assertThat(late.exchange().outcome().reason()).isEqualTo("unknown-key");
        assertThat(calls).hasValue(1);
    }

    @Test
    void tokensThatFollowFromResultsAreVerifiedToo() {
        List<TestExchange> following = new ArrayList<>();
        start();
        next = exchange -> {
            passed.add(exchange);
            if (following.size() < 100) {
                following.addAll(present(1, i -> token(FIRST)));
            }
        };

        present(8, i -> token(FIRST));
        channel.runPendingTasks();

        assertThat(following).hasSize(100);
        assertThat(passed).hasSize(108);
    }
}
