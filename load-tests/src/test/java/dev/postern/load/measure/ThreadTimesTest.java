package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class ThreadTimesTest {

    @Test
    void readsTheFormatOfTheKernel() {
        assertThat(ThreadTimes.parse("24299646122 31035958936 59701\n")).isEqualTo(Duration.ofNanos(24_299_646_122L));
    }

    @Test
    void separatesCompilerThreadsFromTheOthers() {
        ThreadTimes first = ThreadTimes.of(ProcessHandle.current().pid());
        assertThat(first.compilers()).as("this JVM has compiled something").isPositive();

        CRC32 work = new CRC32();
        ThreadTimes difference = first.minus(first);
        while (difference.work().toMillis() < 20) {
            work.update(new byte[4096]);
            difference = ThreadTimes.of(ProcessHandle.current().pid()).minus(first);
        }

        assertThat(difference.workShare()).isBetween(0.0, 1.0);
        assertThat(work.getValue()).isNotNegative();
    }

    @Test
    void withoutCpuTimeTheWorkShareIsOne() {
        assertThat(new ThreadTimes(Duration.ZERO, Duration.ZERO).workShare()).isEqualTo(1);
        assertThat(new ThreadTimes(Duration.ofMillis(3), Duration.ofMillis(1)).workShare())
                .isEqualTo(0.75);
    }
}
