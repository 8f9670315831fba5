package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class ThreadTimesTest {

    @Test
    void readsTheFormatOfTheKernel() {
        assertThat(ThreadTimes.parse("24299646122 31035958936 59701\n")).isEqualTo(Duration.ofNanos(24_299_646_122L));
    }

    @Test
    void leavesOutCompilerThreads() throws IOException {
        ThreadTimes first = ThreadTimes.of(ProcessHandle.current().pid());
        for (String thread : first.byThread().keySet()) {
            assertThat(Files.readString(Path.of(thread, "comm"))).doesNotContain("Compiler");
        }

        CRC32 work = new CRC32();
        ThreadTimes difference = first.minus(first);
        while (difference.work().toMillis() < 20) {
            work.update(new byte[4096]);
            difference = ThreadTimes.of(ProcessHandle.current().pid()).minus(first);
        }

        assertThat(work.getValue()).isNotNegative();
    }

    @Test
    void threadThatEndedTakesNothingFromTheOthers() {
        ThreadTimes earlier = times(Map.of("loop", 10, "short", 50));

        ThreadTimes difference = times(Map.of("loop", 13, "new", 2)).minus(earlier);

        assertThat(difference.work()).isEqualTo(Duration.ofMillis(5));
    }

    private static ThreadTimes times(Map<String, Integer> times) {
        return new ThreadTimes(times.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Duration.ofMillis(entry.getValue()))));
    }
}
