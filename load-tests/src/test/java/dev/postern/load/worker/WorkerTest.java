package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.measure.Cost;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
    private static final Latencies LATENCIES = new Latencies(20, 0, 1, 2.5, 3, Double.NaN);
    private static final Decisions DECISIONS = new Decisions(640, 10, new Cost(150_000, 2.5, 1e-9));

    @TempDir
    Path folder;

    /** Worker whose responses are known. */
    static final class Known implements Worker.Task {
        private static final Map<String, Object> RESPONSES =
                Map.of("latencies", LATENCIES, "decisions", DECISIONS, "number", 1.5, "text", "two words");

        private final String[] arguments;

        Known(String... arguments) {
            this.arguments = arguments;
        }

        @Override
        public Object response(String... words) {
            return RESPONSES.getOrDefault(words[0], arguments[0]);
        }
    }

    @Test
    void readsResponsesAsTheWorkerMadeThem() {
        try (RunFolder run = RunFolder.at(folder)) {
            Worker worker = Worker.start(run, Cores.ANY, Known.class, 7);

            assertThat(worker.ask("latencies", Latencies.class)).isEqualTo(LATENCIES);
            assertThat(worker.ask("decisions", Decisions.class)).isEqualTo(DECISIONS);
            assertThat(worker.ask("number", Double.class)).isEqualTo(1.5);
            assertThat(worker.ask("text")).isEqualTo("two words");
            assertThat(worker.ask("argument")).isEqualTo("7");
        }
    }

    @Test
    void failsWhenTheWorkerHasEnded() {
        try (RunFolder run = RunFolder.at(folder)) {
            Worker worker = Worker.start(run, Cores.ANY, Known.class);

            assertThatThrownBy(() -> worker.ask("argument")).isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void refusesLatenciesOfFailedCalls() {
        assertThat(LATENCIES.withoutFailures()).isSameAs(LATENCIES);
        assertThatThrownBy(() -> new Latencies(20, 1, 1, 1, 1, 1).withoutFailures())
                .hasMessage("1 of 20 requests failed (expected: none)");
    }
}
