package dev.postern.load.start;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.peer.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the first half minute of a gateway's load beside the same load on a warm gateway, and the start in the image. */
@Command(
        name = "start",
        description =
                "CPU time and p99 of the first half minute of load, with and without the AOT cache, over the same requests"
                        + " warm; time to /readyz in the image over java -version.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class StartBench implements Callable<Integer> {
    private static final String IMAGE = "image";

    @Option(names = "--rounds", description = "Alternating rounds that count, each with a new gateway of each kind.")
    int rounds = 5;

    @Option(names = "--image-rounds", description = "Alternating starts in the image that count.")
    int imageRounds = 20;

    @Option(names = "--seconds", description = "Length of the first load.")
    int seconds = 30;

    @Option(names = "--rate", description = "Requests per second, open model.")
    int rate = 2_000;

    @Option(names = "--warm-up", description = "Seconds of wrk on the warm gateway before the first round.")
    int warmUp = 40;

    @Option(
            names = "--jdk",
            description = "Major version of the gateway's JDK, found by JAVA_HOME_25 or in the usual folder.")
    int jdk = 25;

    @Option(names = "--image", description = "Image of docker/build-image, built by buildah.")
    String image = "postern:latest";

    @Option(names = "--goal-cpu", description = "CPU time of the first load, as a multiple of the same requests warm.")
    double goalCpu = 1.5;

    @Option(names = "--goal-image", description = "Time to /readyz in the image, as a multiple of java -version there.")
    double goalImage = 6;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "Some of: clear-text, tls, image; all by default.",
            split = ",")
    List<String> only = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    CommandSpec spec;

    @Override
    public Integer call() {
        List<String> parts = List.of(Protocol.CLEAR_TEXT.text(), Protocol.TLS.text(), IMAGE);
        if (!parts.containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only: " + String.join(",", only) + " (expected: some of " + parts + ")");
        }
        Table table = new Table();
        for (Protocol protocol : Protocol.values()) {
            if (chosen(protocol.text())) {
                addLoad(table, protocol);
            }
        }
        if (chosen(IMAGE)) {
            addImage(table);
        }
        System.out.println(table);
        return table.status();
    }

    private boolean chosen(String part) {
        return only.isEmpty() || only.contains(part);
    }

    private void addLoad(Table table, Protocol protocol) {
        Jdk found = Jdk.found().stream()
                .filter(one -> one.major() == jdk)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "--jdk: " + jdk + " (expected: installed; JAVA_HOME_" + jdk + " may name it)"));
        FirstLoad.Pace pace = new FirstLoad.Pace(rounds, rate, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
        List<FirstLoad.Round> measured = new FirstLoad(protocol, found, pace).rounds();
        String name = protocol.text() + ", ";
        table.note(
                name + "warm: CPU us per request",
                interval(measured, round -> round.warm().cpuMicros()));
        for (Start start : Start.values()) {
            String manner = name + start.text();
            table.note(
                    manner + ": CPU us per request",
                    interval(measured, round -> round.first(start).cpuMicros()));
            table.note(
                    manner + ": p99 us from due",
                    interval(measured, round -> round.first(start).p99Micros()));
            Interval ratio = interval(
                    measured,
                    round -> round.first(start).cpuMicros() / round.warm().cpuMicros());
            String figure = manner + ": CPU, first %d s / warm (paired)".formatted(seconds);
            if (start == Start.SHIPPED) {
                addGoal(table, figure, ratio, Goal.atMost(goalCpu));
            } else {
                table.note(figure, ratio);
            }
        }
        table.note(
                name + "warm: p99 us from due",
                interval(measured, round -> round.warm().p99Micros()));
    }

    private void addImage(Table table) {
        Goal goal = Goal.atMost(goalImage);
        String figure = "image: time to /readyz / java -version (paired)";
        try {
            List<ImageStart.Times> times = new ImageStart(image, imageRounds).times();
            table.note("image: java -version, ms", interval(times, ImageStart.Times::versionMillis));
            table.note("image: time to /readyz, ms", interval(times, ImageStart.Times::readyMillis));
            addGoal(table, figure, interval(times, ImageStart.Times::ratio), goal);
        } catch (IllegalStateException e) {
            Progress.say("image: " + e.getMessage());
            table.verdict(figure, "not measured: no image by buildah (docker/build-image)", goal.toString(), false);
        }
    }

    private static void addGoal(Table table, String figure, Interval interval, Goal goal) {
        table.verdict(figure, interval.toString(), goal.toString(), goal.met(interval.median()));
    }

    private static <T> Interval interval(List<T> measured, ToDoubleFunction<T> figure) {
        return Interval.of(measured.stream().mapToDouble(figure).toArray());
    }
}
