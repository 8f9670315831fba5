package dev.postern.core.transport.piece;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class PieceJoinerTest {

    private static final String LARGE = "l".repeat(PieceJoiner.LARGE);

    private final List<String> passed = new ArrayList<>();
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final PieceJoiner joiner = new PieceJoiner(this::take);

    private void take(ByteBuf piece) {
        passed.add(piece.toString(ISO_8859_1));
        buffers.add(piece);
        piece.release();
    }

    private static ByteBuf piece(String text) {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(text.getBytes(ISO_8859_1));
    }

    private void add(String... pieces) {
        for (String piece : pieces) {
            joiner.add(piece(piece));
        }
    }

    @Test
    void joinsSmallPiecesOfOneRead() {
        add("a", "", "bc", "d");
        assertThat(passed).isEmpty();
        joiner.pass();
        assertThat(passed).containsExactly("abcd");
    }

    @Test
    void passesALonePieceWithoutACopy() {
        ByteBuf lone = piece("a");
        joiner.add(lone);
        joiner.pass();
        assertThat(buffers).hasSize(1);
        assertThat(buffers.get(0)).isSameAs(lone);
    }

    @Test
    void passesALargePieceAtOnceAndInOrder() {
        add("a", "b", LARGE, "c");
        assertThat(passed).containsExactly("ab", LARGE);
        joiner.pass();
        assertThat(passed).containsExactly("ab", LARGE, "c");
    }

    @Test
    void passesNothingForEmptyPieces() {
        add("", "", "");
        joiner.pass();
        assertThat(passed).isEmpty();
    }

    @Test
    void joinsABoundedNumberOfBytes() {
        String piece = "p".repeat(PieceJoiner.LARGE - 1);
        for (int i = 0; i < 64; i++) {
            add(piece);
        }
        joiner.pass();
        assertThat(passed).hasSizeBetween(4, 8).allMatch(all -> all.length() < PieceJoiner.MAX + PieceJoiner.LARGE);
        assertThat(String.join("", passed)).isEqualTo(piece.repeat(64));
    }

    @Test
    void takesMemoryInProportion() {
        add("a", "b");
        joiner.pass();
        assertThat(buffers.get(0).capacity()).isLessThanOrEqualTo(256);
    }

    @Test
    void dropsWhatItHolds() {
        add("a", "b");
        joiner.release();
        add("c");
        joiner.release();
        joiner.pass();
        assertThat(passed).isEmpty();
    }
}
