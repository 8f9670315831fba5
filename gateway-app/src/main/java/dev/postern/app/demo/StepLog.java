package dev.postern.app.demo;

import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Log of the executed steps with duration and result. For one thread. */
public final class StepLog {

    private final List<Step> steps = new ArrayList<>();
    private final Consumer<Step> each;

    StepLog(Consumer<Step> each) {
        this.each = each;
    }

    /**
     * Step of a scenario.
     *
     * @param detail observed result
     */
    public record Step(String name, boolean good, double millis, String detail) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%-6s %-34s %9.1f ms   %s", good ? "ok" : "FAILED", name, millis, detail);
        }
    }

    /** Action of a step; returns the observed result. */
    @FunctionalInterface
    interface Action {

        String run() throws IOException, InterruptedException;
    }

    /** Executes a step. Any exception fails the step; the following steps are executed nevertheless. */
    void step(String name, Action action) throws InterruptedException {
        long start = System.nanoTime();
        Step step;
        try {
            String detail = action.run();
            step = new Step(name, true, (System.nanoTime() - start) / 1e6, detail);
        } catch (IOException | RuntimeException e) {
            step = new Step(name, false, (System.nanoTime() - start) / 1e6, FailureText.of(e));
        }
        steps.add(step);
        each.accept(step);
    }

    public List<Step> steps() {
        return List.copyOf(steps);
    }

    public boolean good() {
        return steps.stream().allMatch(Step::good);
    }

    /** Summarizes the log in one line. */
    public String verdict() {
        long failed = steps.stream().filter(step -> !step.good()).count();
        return failed == 0
                ? "all " + steps.size() + " steps succeeded"
                : failed + " of " + steps.size() + " steps failed";
    }
}
