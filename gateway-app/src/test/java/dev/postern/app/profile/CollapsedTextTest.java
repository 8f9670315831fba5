package dev.postern.app.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollapsedTextTest {

    private static String clean(String text) {
        return CollapsedText.clean(text.lines(), false);
    }

    @Test
    void keepsTheFramesAndTheirKinds() {
        String frames = "java.lang.Thread.run_[j];dev.postern.core.http1.client.Http1UpstreamConnection.write_[0];"
                + "InterpreterRuntime::newarray;I2C/C2I adapters;__libc_connect;__x64_sys_connect_[k];byte[] 12\n";

        assertThat(clean("[postern-loop-1-2 tid=77];" + frames)).isEqualTo("[postern-loop];" + frames);
    }

    @Test
    void mergesNamesOfPoolThreadsAndGeneratedClasses() {
        String text = """
                [postern-loop-1-1 tid=7];a.B$$Lambda$221.0x00007f93a014c430.run_[0] 3
                [postern-loop-1-2 tid=8];a.B$$Lambda/0x00007f93a014c658.run_[0] 4
                [postern-loop-1-2 tid=8];a.B$$Lambda.1687087217.run_[0] 5
                """;

        assertThat(clean(text)).isEqualTo("""
                [postern-loop];a.B$$Lambda.run_[0] 3
                [postern-loop];a.B$$Lambda.run_[0] 4
                [postern-loop];a.B$$Lambda.run_[0] 5
                """);
    }

    @Test
    void keepsTheClassOfAnAllocationAsLastFrame() {
        String stacks = "[main tid=1];a.B.run_[j];byte[] 100\n[main tid=1];a.B.run_[j];java.lang.String_[k] 50\n";

        assertThat(CollapsedText.clean(stacks.lines(), true))
                .isEqualTo("[main];a.B.run_[j];byte[]_[i] 100\n[main];a.B.run_[j];java.lang.String_[i] 50\n");
    }

    @ParameterizedTest
    @CsvSource({
        "Memcached IO over {MemcachedConnection to cache.example/10.1.2.3:11211}, Memcached IO over",
        "RMI TCP Connection(1)-10.1.2.3, RMI TCP Connection",
        "postern-issuer-http-3, postern-issuer-http",
        "GC Thread#0, GC Thread",
        "C2 CompilerThread0, C2 CompilerThread",
        "pool;of threads, pool",
        "10.1.2.3:80, thread",
        "'', thread"
    })
    void removesAddressesFromThreadNames(String name, String shown) {
        assertThat(clean("[" + name + " tid=5];a.B.run 1\n")).isEqualTo("[" + shown + "];a.B.run 1\n");
    }

    @Test
    void omitsInvalidLines() {
        assertThat(clean("\n")).isEmpty();
        assertThat(clean("")).isEmpty();
    }
}
