package dev.postern.core.transport.piece;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class HeldPiecesTest {

    private static final int PIECES = 4 * 1024;

    private final HeldPieces held = new HeldPieces();

    private static ByteBuf piece(String text) {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(text.getBytes(ISO_8859_1));
    }

    private String drained() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf next = held.poll(); next != null; next = held.poll()) {
            all.append(next.toString(ISO_8859_1));
            next.release();
        }
        return all.toString();
    }

    @Test
    void keepsTheOrder() {
        String large = "l".repeat(HeldPieces.LARGE);
        for (String text : new String[] {"a", "", "b", large, "c", large, large, "d"}) {
            held.add(piece(text));
        }
        assertThat(drained()).isEqualTo("ab" + large + "c" + large + large + "d");
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void holdsManySingleBytesInOneBuffer() {
        for (int i = 0; i < PIECES; i++) {
            held.add(piece("x"));
        }
        assertThat(held.buffers()).isEqualTo(1);
        ByteBuf all = held.poll();
        assertThat(all).isNotNull();
        assertThat(all.capacity()).isLessThanOrEqualTo(2 * PIECES);
        all.release();
    }

    @Test
    void keepsNoReadAliveForASmallPart() {
        ByteBuf read = piece("x".repeat(1_000));
        held.add(read.retainedSlice(0, 10));
        assertThat(read.refCnt()).isEqualTo(1);
        read.release();
        held.release();
    }

    @Test
    void takesMoreAfterItWasDrained() {
        held.add(piece("a"));
        assertThat(drained()).isEqualTo("a");
        held.add(piece("b"));
        held.add(piece("c"));
        assertThat(drained()).isEqualTo("bc");
    }

    @Test
    void dropsAll() {
        held.add(piece("a"));
        held.add(piece("l".repeat(HeldPieces.LARGE)));
        held.release();
        assertThat(held.isEmpty()).isTrue();
    }
}
