package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerContextTest {

    private static final long MIB = 1 << 20;

    @TempDir
    private Path groups;

    @TempDir
    private Path proc;

    private ContextItem item(String name, int processors, long heapMib) {
        JvmFacts facts =
                new JvmFacts("mixed mode", 4, 0, List.of(), false, List.of(), processors, heapMib * MIB, heapMib * MIB);
        return ContextItems.item(ProcessContext.container(new CgroupLimits(groups, new ProcFiles(proc)), facts), name);
    }

    @Test
    void reportsAJvmThatUsesMoreProcessorsThanTheContainerHas() {
        ContextItems.write(groups, "cpu.max", "150000 100000\n");
        ContextItem item = item("container.processors", 8, 1);
        assertThat(item.drifted()).isTrue();
        assertThat(item.wanted()).isEqualTo("at most 2");
        assertThat(item.found()).isEqualTo("8");
        assertThat(item.advice()).contains("ActiveProcessorCount");
        assertThat(item("container.processors", 2, 1).drifted()).isFalse();
    }

    @Test
    void reportsMoreHeapAndDirectMemoryThanTheContainerHas() {
        ContextItems.write(groups, "memory.max", Long.toString(512 * MIB));
        assertThat(item("container.memory-bytes", 1, 256).drifted()).isTrue();
        assertThat(item("container.memory-bytes", 1, 256).advice()).contains("MaxRAMPercentage");
        assertThat(item("container.memory-bytes", 1, 200).drifted()).isFalse();
    }

    @Test
    void readsVersionOneInTheCgroupOfTheProcess() {
        ContextItems.write(proc, "self/cgroup", "4:memory:/deep/er\n1:cpu,cpuacct:/\n0::/\n");
        ContextItems.write(groups, "cpu/cpu.cfs_quota_us", "50000\n");
        ContextItems.write(groups, "cpu/cpu.cfs_period_us", "100000\n");
        ContextItems.write(groups, "memory/memory.limit_in_bytes", Long.toString(Long.MAX_VALUE - 4095));
        ContextItems.write(groups, "memory/deep/er/memory.limit_in_bytes", Long.toString(512 * MIB));
        assertThat(item("container.processors", 2, 1).wanted()).isEqualTo("at most 1");
        assertThat(item("container.memory-bytes", 1, 300).drifted()).isTrue();
    }

    @Test
    void comparesNothingWithoutLimits() {
        assertThat(item("container.processors", 64, 1).wanted()).isEmpty();
        ContextItems.write(groups, "cpu.max", "max 100000\n");
        ContextItems.write(groups, "memory.max", "max\n");
        assertThat(item("container.processors", 64, 1).wanted()).isEmpty();
        assertThat(item("container.memory-bytes", 1, 1 << 20).wanted()).isEmpty();
    }
}
