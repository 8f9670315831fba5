package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests batches in the lanes of crypto_mb, as {@link BatchContract} states; scripts/cryptomb runs this test where the library is. */
@Tag("cryptomb")
class CryptoMbTest extends BatchContract {

    private final CryptoMb library = CryptoMb.load();

    @Override
    RsaLanes lanes() {
        return library.lanes();
    }

    @Override
    int calls() {
        return 300;
    }

    @Test
    void isChosen() {
        BatchProvider chosen = BatchProvider.choose();

        assertThat(chosen.available()).isTrue();
        assertThat(chosen.description().why()).contains("libcrypto_mb.so.11", "self-test");
    }

    @Test
    void computesOnlyTheFilledLanes() {
        RsaLanes lanes = lanes();
        for (int set = 0; set < 256; set++) {
            for (int lane = 0; lane < 8; lane++) {
                if ((set & 1 << lane) != 0) {
                    lanes.fill(lane, FIRST.key(), good(FIRST).token().bytes(), 98);
                } else {
                    lanes.empty(lane);
                }
            }
            assertThat(lanes.compute()).isEqualTo(set);
        }
    }

    @Test
    void needsTheFunctionsOfTheLibrary() {
        assertThatThrownBy(() -> CryptoMb.load(List.of("libc.so.6")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("libc.so.6: has no function mbx_get_algo_info");
    }
}
