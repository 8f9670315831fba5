package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakExtension.class)
class DatagramSegmentsTest {

    private final DatagramSegments segments = new DatagramSegments(UnpooledByteBufAllocator.DEFAULT);

    /** Returns whether the datagram was added. */
    private boolean add(String datagram) {
        ByteBuf bytes = Unpooled.copiedBuffer(datagram, ISO_8859_1);
        boolean added = segments.add(bytes);
        if (!added) {
            assertThat(bytes.refCnt()).as("stays with the caller").isEqualTo(1);
            bytes.release();
        }
        return added;
    }

    private String take() {
        ByteBuf all = Objects.requireNonNull(segments.take());
        String text = all.toString(ISO_8859_1);
        all.release();
        return text;
    }

    @Test
    void joinsDatagramsOfOneLength() {
        assertThat(add("one")).isTrue();
        assertThat(add("two")).isTrue();
        assertThat(segments.count()).isEqualTo(2);
        assertThat(segments.length()).isEqualTo(3);
        assertThat(take()).isEqualTo("onetwo");
        assertThat(segments.count()).isZero();
        assertThat(segments.take()).isNull();
    }

    @Test
    void onlyTheLastMayBeShorter() {
        add("one");
        assertThat(add("2")).isTrue();
        assertThat(add("3")).isFalse();
        assertThat(take()).isEqualTo("one2");
        assertThat(add("3")).isTrue();
        assertThat(take()).isEqualTo("3");
    }

    @Test
    void noneIsLongerThanTheFirst() {
        add("one");
        assertThat(add("three")).isFalse();
        assertThat(take()).isEqualTo("one");
    }

    @Test
    void boundsTheNumber() {
        for (int i = 0; i < 64; i++) {
            assertThat(add("x")).isTrue();
        }
        assertThat(add("x")).isFalse();
        assertThat(take()).isEqualTo("x".repeat(64));
    }

    @Test
    void boundsTheBytes() {
        String datagram = "x".repeat(1_452);
        int count = 0;
        while (add(datagram)) {
            count++;
        }
        assertThat(count).isEqualTo(65_507 / 1_452);
        assertThat(take()).hasSize(count * 1_452);
    }

    @Test
    void aDatagramLongerThanCommonLinksTakeIsAlone() {
        assertThat(add("x".repeat(1_453))).isTrue();
        assertThat(add("x".repeat(1_453))).isFalse();
        assertThat(add("x")).isFalse();
        take();
    }
}
