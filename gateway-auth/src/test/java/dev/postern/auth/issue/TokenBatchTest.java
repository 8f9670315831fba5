package dev.postern.auth.issue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how many tokens a batch fetches, and how a failure ends it. */
class TokenBatchTest {

    private final List<Token> fetched = new ArrayList<>();

    private static Token token() {
        byte[] bytes = new byte[TokenType.BLIND_RSA.tokenLength()];
        bytes[1] = 2;
        return Objects.requireNonNull(Token.parse(bytes));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 3", "2, 9"})
    void fetchesTheNumberOfTokens(int count, int parallel) throws Exception {
        new TokenBatch(count, parallel, fetched::add).run(TokenBatchTest::token);
        assertThat(fetched).hasSize(count);
    }

    @Test
    void fetchesInParallel() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        new TokenBatch(3, 3, fetched::add).run(() -> {
            all.countDown();
            all.await();
            return token();
        });
        assertThat(fetched).hasSize(3);
    }

    @Test
    void theFirstFailureEndsTheBatch() {
        TokenBatch batch = new TokenBatch(5, 1, fetched::add);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> batch.run(() -> {
                    if (fetched.size() == 2) {
                        throw new IOException("no issuer");
                    }
                    return token();
                }))
                .withMessage("no issuer");
        assertThat(fetched).hasSize(2);
    }

    @Test
    void aFaultOfTheProgramIsNoFailureOfTheIssuer() {
        TokenBatch batch = new TokenBatch(1, 1, fetched::add);
        assertThatIllegalStateException()
                .isThrownBy(() -> batch.run(() -> {
                    throw new IllegalArgumentException("wrong");
                }))
                .withMessage("minting failed")
                .withCauseInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void refusesOtherNumbers(int count, int parallel) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TokenBatch(count, parallel, fetched::add))
                .withMessage("mint: " + count + " tokens, " + parallel + " at once (expected: 1 or more)");
    }
}
