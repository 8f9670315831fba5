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
    /** CPU time of the first load, as a multiple of the same requests warm. */
    private static final Goal CPU = Goal.atMost(1.5);
    /** Time to /readyz in the image, as a multiple of java -version there. */
    private static final Goal READY = Goal.atMost(6);

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
                Interval.of(measured, round -> round.warm().cpuMicros()));
        for (Start start : Start.values()) {
            String manner = name + start.text();
            table.note(
                    manner + ": CPU us per request",
                    Interval.of(measured, round -> round.first(start).cpuMicros()));
            table.note(
                    manner + ": p99 us from due",
                    Interval.of(measured, round -> round.first(start).p99Micros()));
            Interval ratio = Interval.of(
                    measured,
                    round -> round.first(start).cpuMicros() / round.warm().cpuMicros());
            String figure = manner + ": CPU, first %d s / warm (paired)".formatted(seconds);
            table.goal(figure, ratio, start == Start.SHIPPED ? CPU : null);
        }
        table.note(
                name + "warm: p99 us from due",
                Interval.of(measured, round -> round.warm().p99Micros()));
    }

    private void addImage(Table table) {
        String figure = "image: time to /readyz / java -version (paired)";
        try {
            List<ImageStart.Times> times = new ImageStart(image, imageRounds).times();
            table.note("image: java -version, ms", Interval.of(times, ImageStart.Times::versionMillis));
            table.note("image: time to /readyz, ms", Interval.of(times, ImageStart.Times::readyMillis));
            table.goal(figure, Interval.of(times, ImageStart.Times::ratio), READY);
        } catch (IllegalStateException e) {
            Progress.say("image: " + e.getMessage());
            table.notMeasured(figure, "no image by buildah (docker/build-image)", READY);
        }
    }
}
