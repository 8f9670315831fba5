package dev.postern.load.experiment.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlameStacksTest {
    @Test
    void countsSamplesBelowCallsThatOpenOrCloseASocket() {
        FlameStacks stacks = FlameStacks.of("""
                all;[postern-loop];[forward];java.lang.Thread.run;__GI___connect;tcp_v4_connect 30
                all;[postern-loop];[forward];java.lang.Thread.run;__send;tcp_sendmsg 60
                all;[postern-loop];[send];__x64_sys_close;tcp_close 10
                """);

        assertThat(stacks).isEqualTo(new FlameStacks(100, 40));
        assertThat(stacks.percent()).isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__GI___connect",
                "__libc_connect",
                "connect",
                "__x64_sys_connect",
                "__sys_connect",
                "__arm64_sys_close",
                "__close",
                "__GI___close",
                "__socket",
                "__sys_socket",
                "__x64_sys_socket",
                "__libc_close",
                "__x64_sys_close_[k]"
            })
    void recognizesTheNamesOfLibraryAndKernel(String frame) {
        assertThat(FlameStacks.of("all;" + frame + " 1").percent()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connected",
                "io.netty.channel.AbstractChannel.close",
                "tcp_close",
                "closed",
                "dev.postern.core.Pool.connect"
            })
    void ignoresOtherFunctions(String frame) {
        assertThat(FlameStacks.of("all;" + frame + " 1").percent()).isZero();
    }

    @Test
    void hasNoPercentageWithoutASample() {
        assertThat(FlameStacks.of("").percent()).isNaN();
    }
}
