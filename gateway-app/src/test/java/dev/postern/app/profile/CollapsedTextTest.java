package dev.postern.app.profile;

import static dev.postern.app.profile.Frame.Kind.JAVA;
import static dev.postern.app.profile.Frame.Kind.KERNEL;
import static dev.postern.app.profile.Frame.Kind.NATIVE;
import static dev.postern.app.profile.Frame.Kind.THREAD;
import static dev.postern.app.profile.Frame.Kind.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollapsedTextTest {

    @Test
    void tellsWhoseCodeEachFrameIs() {
        String text =
                "[postern-loop-1-2 tid=77];java/lang/Thread.run_[j];dev/postern/core/http1/client/Http1UpstreamConnection.write_[0];"
                        + "InterpreterRuntime::newarray;I2C/C2I adapters;__libc_connect;__x64_sys_connect_[k] 12\n";

        assertThat(CollapsedText.read(text, false))
                .containsOnlyKeys(List.of(
                        new Frame(THREAD, "postern-loop"),
                        new Frame(JAVA, "java.lang.Thread.run"),
                        new Frame(JAVA, "dev.postern.core.http1.client.Http1UpstreamConnection.write"),
                        new Frame(NATIVE, "InterpreterRuntime::newarray"),
                        new Frame(NATIVE, "I2C/C2I adapters"),
                        new Frame(NATIVE, "__libc_connect"),
                        new Frame(KERNEL, "__x64_sys_connect")))
                .containsValue(12L);
    }

    @Test
    void addsUpTheThreadsOfAPoolAndClassesMadeAtRunTime() {
        String text = """
                [postern-loop-1-1 tid=7];a/B$$Lambda$221.0x00007f93a014c430.run 3
                [postern-loop-1-2 tid=8];a/B$$Lambda$9.0x00007f93a014c658.run 4
                """;

        assertThat(CollapsedText.read(text, false))
                .hasSize(1)
                .containsEntry(List.of(new Frame(THREAD, "postern-loop"), new Frame(JAVA, "a.B$$Lambda.run")), 7L);
    }

    @Test
    void theLastFrameOfAnAllocationIsItsClass() {
        String text = "[main tid=1];a/B.run;byte[]_[i] 100\n[main tid=1];a/B.run;java.lang.String_[k] 50\n";

        assertThat(CollapsedText.read(text, true).keySet())
                .extracting(stack -> stack.get(2))
                .containsExactlyInAnyOrder(new Frame(TYPE, "byte[]"), new Frame(TYPE, "java.lang.String"));
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
    void noAddressIsInTheNameOfAThread(String name, String shown) {
        assertThat(FrameNames.thread(name)).isEqualTo(shown);
        assertThat(CollapsedText.read("[" + name + " tid=5];a/B.run 1\n", false).keySet())
                .allSatisfy(stack ->
                        assertThat(stack).containsExactly(new Frame(THREAD, shown), new Frame(JAVA, "a.B.run")));
    }

    @Test
    void whatIsNoStackIsLeftOut() {
        assertThat(CollapsedText.read("\n", false)).isEmpty();
        assertThat(CollapsedText.read("", true)).isEmpty();
    }
}
