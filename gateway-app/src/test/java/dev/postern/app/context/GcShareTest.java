package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcShareTest {

    @Test
    void reportsACollectorThatUsesATenthOfTheTime() {
        for (double work : new double[] {150, 290, Double.NaN}) {
            Iterator<GcShare.Reading> readings = IntStream.range(0, 3)
                    .mapToObj(i -> new GcShare.Reading(150 * i, work * i, 1000 * i))
                    .iterator();
            GcShare share = new GcShare(readings::next);
            for (boolean named : new boolean[] {false, true}) {
                ContextItem item = ContextItems.item(share, "jvm.gc-share");
                assertThat(item.drifted()).isEqualTo(named);
                assertThat(item.found()).isEqualTo("15.0 %");
            }
        }
        assertThat(ContextItems.item(GcShare.ofThis(new ProcFiles(Path.of("/proc"))), "jvm.gc-share")
                        .drifted())
                .isFalse();
    }

    @Test
    void ignoresPausesCausedByOtherProcesses() {
        Iterator<GcShare.Reading> readings = IntStream.range(0, 4)
                .mapToObj(i -> new GcShare.Reading(400 * i, 50 * i, 1000 * i))
                .iterator();
        GcShare share = new GcShare(readings::next);
        for (int i = 1; i < 4; i++) {
            ContextItem item = ContextItems.item(share, "jvm.gc-share");
            assertThat(item.drifted()).isFalse();
            assertThat(item.found()).isEqualTo("5.0 %");
        }
    }

    @Test
    void countsOnlyThreadsThatRunInPauses(@TempDir Path proc) throws IOException {
        thread(proc, 7, "GC Thread#0", "30000000 9 9");
        thread(proc, 8, "GC Thread#11", "500000 9 9");
        thread(proc, 9, "VM Thread", "1000000 9 9");
        thread(proc, 10, "G1 Conc#0", "700000000 9 9");
        thread(proc, 11, "epoll-1", "700000000 9 9");

        assertThat(GcShare.collectorMillis(new ProcFiles(proc))).isEqualTo(31.5);
        assertThat(GcShare.collectorMillis(new ProcFiles(proc.resolve("none")))).isNaN();
    }

    private static void thread(Path proc, int id, String name, String times) throws IOException {
        Path folder = Files.createDirectories(proc.resolve("self/task/" + id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), times + "\n");
    }

    @Test
    void findsTheThreadsOfThisJvm() {
        assertThat(GcShare.collectorMillis(new ProcFiles(Path.of("/proc")))).isPositive();
    }
}
