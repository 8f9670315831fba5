package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelContextTest {

    private static final String LIMITS = """
            Limit                     Soft Limit           Hard Limit           Units
            Max cpu time              unlimited            unlimited            seconds
            Max open files            %s                20000                files
            """;

    @TempDir
    private Path proc;

    private ContextItem item(String name) {
        return ContextItems.item(
                ProcessContext.kernel(new ProcFiles(proc), new ProcessContext.Needs(10_000, 8_000, 7_000, 1024)), name);
    }

    @Test
    void reportsATooLowOpenFileLimit() {
        ContextItems.write(proc, "self/limits", LIMITS.formatted("9999"));
        assertThat(item("process.open-files").drifted()).isTrue();
        assertThat(item("process.open-files").found()).isEqualTo("9999");
        assertThat(item("process.open-files").wanted()).isEqualTo("at least 10000");
        assertThat(item("process.open-files").advice()).contains("ulimit -n", "limits.connections");
        ContextItems.write(proc, "self/limits", LIMITS.formatted("10000"));
        assertThat(item("process.open-files").verdict()).isEqualTo(ContextItem.Verdict.OK);
        ContextItems.write(proc, "self/limits", LIMITS.formatted("unlimited"));
        assertThat(item("process.open-files").verdict()).isEqualTo(ContextItem.Verdict.OK);
    }

    @Test
    void reportsClientsBeyondTheDescriptors() {
        ContextItem clients = item("limits.connections");
        assertThat(clients.drifted()).isTrue();
        assertThat(clients.wanted()).isEqualTo("8000");
        assertThat(clients.found()).isEqualTo("7000");
        assertThat(clients.advice()).contains("ulimit -n");
    }

    @Test
    void reportsTooFewPortsForOneUpstream() {
        ContextItems.write(proc, "sys/net/ipv4/ip_local_port_range", "32768\t33791\n");
        assertThat(item("kernel.port-range").drifted()).isTrue();
        assertThat(item("kernel.port-range").found()).isEqualTo("32768-33791");
        assertThat(item("kernel.port-range").advice()).contains("sysctl -w net.ipv4.ip_local_port_range");
        ContextItems.write(proc, "sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        assertThat(item("kernel.port-range").drifted()).isFalse();
    }

    @Test
    void reportsUnreadableFilesAsUnknown() {
        assertThat(item("process.open-files").verdict()).isEqualTo(ContextItem.Verdict.UNKNOWN);
        assertThat(item("kernel.port-range").verdict()).isEqualTo(ContextItem.Verdict.UNKNOWN);
    }

    @Test
    void readsTheFilesOfARealKernel() {
        List<ContextItem> here =
                ProcessContext.kernel(new ProcFiles(Path.of("/proc")), new ProcessContext.Needs(1, 1, 1, 1));
        assertThat(ContextItems.item(here, "kernel.port-range").found()).matches("\\d+-\\d+");
        assertThat(ContextItems.item(here, "process.open-files").found()).matches("\\d+|unlimited");
        assertThat(here).noneMatch(ContextItem::drifted);
    }

    @Test
    void showsValuesOfTheKernel() {
        ContextItems.write(proc, "sys/net/core/somaxconn", "4096\n");
        ContextItems.write(proc, "sys/net/ipv4/tcp_congestion_control", "cubic\n");
        ContextItems.write(proc, "sys/net/ipv4/tcp_available_congestion_control", "reno cubic bbr\n");
        ContextItems.write(proc, "sys/net/ipv4/tcp_allowed_congestion_control", "reno cubic\n");
        assertThat(item("kernel.somaxconn").found()).isEqualTo("4096");
        assertThat(item("kernel.congestion-control").found()).isEqualTo("cubic");
        assertThat(item("kernel.congestion-controls").found()).isEqualTo("reno cubic bbr");
        assertThat(item("kernel.congestion-controls-allowed").found()).isEqualTo("reno cubic");
    }
}
