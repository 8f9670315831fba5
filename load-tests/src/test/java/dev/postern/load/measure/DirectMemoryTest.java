package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    private static final String NETTY = """
        netty_allocator_memory_used{allocator_type="AdaptiveByteBufAllocator",id="1",memory_type="direct"} 4194304.0
        netty_allocator_memory_used{allocator_type="AdaptiveByteBufAllocator",id="1",memory_type="heap"} 9.0E9
        """;
    private static final String JVM = """
        jvm_buffer_memory_used_bytes{id="direct"} 8192.0
        jvm_buffer_memory_used_bytes{id="mapped"} 9.0E9
        """;

    @Test
    void addsBothCounts() {
        assertThat(MetricsPage.parse(NETTY + JVM).directMemory()).isEqualTo(4_202_496);
        assertThat(MetricsPage.parse(NETTY + JVM.replace("8192.0", "5.0E7")).directMemory())
                .isEqualTo(54_194_304);
    }

    @Test
    void rejectsAPageWithoutCounts() {
        assertThatThrownBy(() -> MetricsPage.parse("up 1.0\n").directMemory())
                .hasMessageContaining("expected: a page with");
    }
}
