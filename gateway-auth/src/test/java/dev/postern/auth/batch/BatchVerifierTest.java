package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests batches on lanes without a library, as {@link BatchContract} states. */
class BatchVerifierTest extends BatchContract {

    private RsaLanes lanes = new BigIntegerLanes();

    @Override
    RsaLanes lanes() {
        return lanes;
    }

    @Test
    void refusesATokenWhoseLaneHasNoResult() {
        for (int lost = 0; lost < RsaLanes.COUNT; lost++) {
            int lane = lost;
            lanes = new BigIntegerLanes() {
                @Override
                public int compute() {
                    return super.compute() & ~(1 << lane);
                }
            };
            SignedToken[] batch = new SignedToken[8];
            Arrays.setAll(batch, i -> good(FIRST));

            assertThat(new BatchVerifier(lanes).verify(batch, 8)).isEqualTo(0xff & ~(1 << lane));
        }
    }

    @Test
    void acceptsNoTokenThatHasNoLane() {
        lanes = new BigIntegerLanes() {
            @Override
            public int compute() {
                super.compute();
                return 0xff;
            }
        };
        BatchVerifier verifier = new BatchVerifier(lanes);
        SignedToken[] batch = new SignedToken[8];
        Arrays.setAll(batch, i -> good(FIRST));
        assertThat(verifier.verify(batch, 8)).isEqualTo(0xff);

        batch[3] = notBelowTheModulus(FIRST);

        assertThat(verifier.verify(batch, 8)).isEqualTo(0xf7);
        assertThat(verifier.verify(batch, 2)).isEqualTo(0b11);
    }

    @Test
    void refusesMoreTokensThanLanes() {
        assertThatThrownBy(() -> new BatchVerifier(lanes).verify(new SignedToken[9], 9))
                .hasMessageContaining("9 tokens");
    }
}
