package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissedGoalTest {
    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(MissedGoal.FILE);
    }

    @Test
    void theRunReadsWhatSimulationsReport() {
        Path file = folder.resolve("missed");
        System.setProperty(MissedGoal.FILE, file.toString());
        assertThat(MissedGoal.read(file)).isEmpty();

        MissedGoal first = new MissedGoal("responses 503: 7", "at most 1");
        MissedGoal second = new MissedGoal("2 of 3 admitted", "3 admitted");
        first.report();
        second.report();

        assertThat(MissedGoal.read(file)).containsExactly(first, second);
    }
}
