package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void readsTheBytesOfTheTotal() {
        assertThat(LiveHeap.parse("""
                        4711:
                         num     #instances         #bytes  class name (module)
                        -------------------------------------------------------
                           1:         56789       12345678  [B (java.base@17.0.15)
                           2:             1             16  example.Total 1 2
                        Total        123456       23456789
                        """)).isEqualTo(23_456_789);
    }

    @Test
    void rejectsAnOutputWithoutTotal() {
        assertThatThrownBy(() -> LiveHeap.parse("4711:\n")).hasMessageContaining("expected: a line such as");
    }
}
