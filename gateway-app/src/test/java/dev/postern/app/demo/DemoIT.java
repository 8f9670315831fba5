package dev.postern.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.pipeline.Stages;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
                        "redeemed through a proxy that asks",
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
                stages.question(),
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
                stages.question(),
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
        try (Demo demo = Demo.start(Demo.Wish.once(DemoPorts.any()))) {
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

    @Test
    void listensOnPortsThatFollowTheBase() throws Exception {
        int base = freeBase();
        try (Demo demo = Demo.start(Demo.Wish.once(DemoPorts.from(base)))) {
            String text = String.join("\n", demo.whatToTry());

            assertThat(text)
                    .contains(
                            "the site at http://127.0.0.1:" + base + "/",
                            "the forward proxy at 127.0.0.1:" + (base + 1),
                            "--admin 127.0.0.1:" + (base + 2),
                            "http://127.0.0.1:" + (base + 3) + "/",
                            "the issuer at 127.0.0.1:" + (base + 4),
                            "--udp 127.0.0.1:" + (base + 5),
                            "http://127.0.0.1:" + (base + 7) + "/asked");
            String used = IntStream.rangeClosed(base, base + 7)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(", "));
            assertThatThrownBy(() -> DemoPorts.from(base))
                    .hasMessage("in use: [" + used + "] (expected: " + base + " to " + (base + 7) + " free)");
        }
    }

    /** Returns the first of eight ports that are free now, above those that the kernel gives to others. */
    private static int freeBase() {
        for (int base = 61_000; base < DemoPorts.MAX_BASE; base += 8) {
            try {
                DemoPorts.from(base);
                return base;
            } catch (BindException e) {
                // the next one
            }
        }
        throw new IllegalStateException("no eight ports in a row are free above 61000");
    }

    private static List<String> failed(StepLog log) {
        return log.steps().stream()
                .filter(step -> !step.good())
                .map(StepLog.Step::name)
                .toList();
    }

    private static StepLog play(UnaryOperator<Stages> variation) throws IOException, InterruptedException {
        try (Demo demo = Demo.start(new Demo.Wish(DemoPorts.any(), variation, line -> {}))) {
            return demo.once(step -> {});
        }
    }
}
