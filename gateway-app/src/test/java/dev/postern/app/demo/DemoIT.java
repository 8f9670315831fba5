package dev.postern.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.pipeline.Stages;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests that the demo fails when a feature is missing: its steps are checks. */
class DemoIT {

    @Test
    void succeeds() throws Exception {
        StepLog log = play(UnaryOperator.identity());

        assertThat(failed(log)).isEmpty();
        assertThat(log.steps().stream().map(StepLog.Step::name))
                .containsSubsequence(
                        "challenge",
                        "redeemed",
                        "replay refused",
                        "tampered refused",
                        "room entered",
                        "moved up",
                        "admitted",
                        "tunnel opened",
                        "UDP tunnel opened",
                        "forbidden port refused");
    }

    @Test
    void failsWithoutTheStageThatSpends() throws Exception {
        StepLog log = play(stages -> new Stages(
                stages.log(),
                null,
                null,
                stages.identify(),
                stages.verify(),
                stages.admit(),
                null,
                null,
                stages.forward()));

        assertThat(log.good()).isFalse();
        assertThat(failed(log)).contains("replay refused", "logs agree").doesNotContain("redeemed", "admitted");
    }

    @Test
    void failsWithoutTheStageThatAdmits() throws Exception {
        StepLog log = play(stages -> new Stages(
                stages.log(),
                null,
                null,
                stages.identify(),
                stages.verify(),
                null,
                null,
                stages.spend(),
                stages.forward()));

        assertThat(log.good()).isFalse();
        assertThat(failed(log)).contains("room entered").doesNotContain("redeemed", "replay refused");
    }

    /** Runs the line in a shell, as a user pastes it. */
    @Test
    void theShownLineShowsTheQueue() throws Exception {
        try (Demo demo = Demo.start(Demo.Wish.once())) {
            String line = demo.whatToTry().stream()
                    .filter(l -> l.contains("/shop; done"))
                    .findFirst()
                    .orElseThrow();
            Process shell = new ProcessBuilder("sh", "-c", line)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(shell.getInputStream().readAllBytes(), UTF_8);

            assertThat(output)
                    .containsSubsequence(
                            "Hello from the site.", "Hello from the site.", "\"position\":1,", "\"position\":2,");
        }
    }

    private static List<String> failed(StepLog log) {
        return log.steps().stream()
                .filter(step -> !step.good())
                .map(StepLog.Step::name)
                .toList();
    }

    private static StepLog play(UnaryOperator<Stages> variation) throws IOException, InterruptedException {
        try (Demo demo = Demo.start(new Demo.Wish(false, variation, line -> {}))) {
            return demo.once(step -> {});
        }
    }
}
