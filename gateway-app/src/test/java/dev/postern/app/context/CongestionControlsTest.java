package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CongestionControlsTest {

    @TempDir
    private Path proc;

    private CongestionControls controls;

    @BeforeEach
    void kernel() {
        ContextItems.write(proc, "sys/net/ipv4/tcp_available_congestion_control", "reno cubic bbr\n");
        ContextItems.write(proc, "sys/net/ipv4/tcp_allowed_congestion_control", "reno cubic\n");
        ContextItems.write(proc, "sys/net/ipv4/tcp_congestion_control", "cubic\n");
        controls = new CongestionControls(new ProcFiles(proc));
    }

    @Test
    void distinguishesNotLoadedAndNotPermitted() {
        ContextItem loaded = controls.judge("listener web", "vegas", "cubic");
        assertThat(loaded.drifted()).isTrue();
        assertThat(loaded.wanted()).isEqualTo("vegas");
        assertThat(loaded.found()).isEqualTo("cubic");
        assertThat(loaded.advice()).startsWith("Not loaded").contains("reno, cubic, bbr", "modprobe tcp_vegas");
        ContextItem permitted = controls.judge("listener web", "bbr", "cubic");
        assertThat(permitted.drifted()).isTrue();
        assertThat(permitted.advice())
                .startsWith("Not permitted")
                .contains("sysctl -w net.ipv4.tcp_allowed_congestion_control=\"reno cubic bbr\"");
    }

    @Test
    void reportsAnAlgorithmThatIsNotTheRecommendedOne() {
        ContextItem item = controls.judge("upstream app", "cubic", "cubic");
        assertThat(item.item()).isEqualTo("upstream app.congestion-control");
        assertThat(item.drifted()).isTrue();
        assertThat(item.wanted()).isEqualTo("bbr");
        assertThat(item.advice()).contains("transport.congestion-control: bbr");
        assertThat(controls.judge("upstream app", "bbr", "bbr").drifted()).isFalse();
    }

    @Test
    void acceptsTheSystemsDefaultWhenConfigured() {
        assertThat(controls.judge("listener web", "", "cubic").drifted()).isFalse();
    }

    @Test
    void predictsTheAlgorithmOfAProcess() {
        ContextItems.write(proc, "self/status", "Name:\tjava\nCapEff:\t0000000000000000\n");
        assertThat(controls.granted("bbr")).isEqualTo("cubic");
        assertThat(controls.granted("reno")).isEqualTo("reno");
        assertThat(controls.granted("vegas")).isEqualTo("cubic");
        ContextItems.write(proc, "self/status", "Name:\tjava\nCapEff:\t0000000000001000\n");
        assertThat(controls.granted("bbr")).isEqualTo("bbr");
        assertThat(controls.granted("vegas")).isEqualTo("cubic");
    }
}
