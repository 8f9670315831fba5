package dev.postern.load.experiment.order;

import dev.postern.load.evidence.Evidence;
import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.knowm.xchart.internal.chartpart.Chart;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures whether the gateway works side by side and delivers in order, and whether it stays flat while connections come and go. */
@picocli.CommandLine.Command(
        name = "order",
        description = {
            "Pipelined requests over one connection, with pipeline-depth 1 and 8, on one core and on two; and 1, 10, 1,000, 10 connections or"
                    + " tunnels that carry numbered messages, beside nginx, HAProxy, Caddy and a bare relay. Each response and"
                    + " each datagram is checked against its number.",
            "",
            "Short form: --rounds 1 --seconds 0.5 --warm-up 1 --tokens 60. Half an hour of tunnels alone, with drift:"
                    + " --parts steps --kinds tcp,udp --minutes 30 --seconds 2."
        })
public final class OrderExperiment implements Callable<Integer> {
    private enum Part {
        PIPELINE,
        STEPS
    }

    /** Time that the slow origin takes. */
    private static final Duration DELAY = Duration.ofMillis(300);

    /** Round trips per second, of all tunnels together. */
    private static final int RATE = 2_000;

    @Option(names = "--parts", paramLabel = "PART", description = "pipeline, steps.", split = ",")
    Set<Part> parts = EnumSet.allOf(Part.class);

    @Option(names = "--kinds", paramLabel = "KIND", description = "Kinds of the steps: http, tcp, udp.", split = ",")
    Set<Kind> kinds = EnumSet.allOf(Kind.class);

    @Option(names = "--rounds", description = "Rounds that count, of each part.")
    int rounds = 4;

    @Option(
            names = "--minutes",
            description = "Time for the steps, if they shall take longer; the last round is completed.")
    double minutes;

    @Option(names = "--seconds", description = "Time of each proxy in each step, half of it for round trips.")
    double seconds = 1;

    @Option(
            names = "--warm-up",
            description =
                    "Seconds of load of each kind and proxy before the first cycle. More than a minute together with it: a thread of the"
                            + " JVM's common pool that the start used ends after a minute.")
    double warmUp = 6;

    @Option(names = "--tokens", description = "Requests of a turn with tokens.")
    int tokens = 500;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PipelineSettings settings = new PipelineSettings(DELAY, Variant.DEPTH, 16, 4_000, tokens, 3, rounds);
        Table table = new Table().note("peers", versions());
        Map<String, Object> data = new LinkedHashMap<>();
        List<Chart<?, ?>> charts = new ArrayList<>();
        if (parts.contains(Part.PIPELINE)) {
            PipelineTable pipeline = new PipelineTable(settings, pipelined(settings));
            pipeline.addTo(table);
            data.put("pipelined", pipeline.rounds());
            charts.addAll(new PipelineCharts(pipeline).all());
        }
        if (parts.contains(Part.STEPS)) {
            StepTable steps = steps();
            steps.addTo(table);
            data.put("cycles", steps.cycles());
            charts.addAll(new StepCharts(steps).all());
        }
        return Evidence.of(spec, table, data, charts).publish();
    }

    private static List<PipelineRound> pipelined(PipelineSettings settings) {
        List<PipelineRound> rounds = new ArrayList<>();
        try (RunFolder folder = RunFolder.create("order-pipeline")) {
            PipelineSite site = new PipelineSite(folder, settings);
            site.warmUp();
            for (int round = 1; round <= settings.rounds(); round++) {
                rounds.add(site.round());
                Progress.say("pipelined requests, round %d of %d", round, settings.rounds());
            }
        }
        return rounds;
    }

    private StepTable steps() {
        try (RunFolder folder = RunFolder.create("order-steps")) {
            StepSite site = new StepSite(folder, List.copyOf(kinds), RATE);
            kinds.forEach(kind -> site.warmUp(kind, millis(warmUp)));
            Progress.say("cycle that warms up");
            List<Cycle> first = cycles(site, 0);
            List<Cycle> counted = new ArrayList<>();
            long end = System.nanoTime() + (long) (minutes * 60e9);
            for (int number = 1; number <= rounds || System.nanoTime() < end; number++) {
                Progress.say(
                        "cycle %d, at least %d, %.1f minutes left",
                        number, rounds, Math.max(0, end - System.nanoTime()) / 60e9);
                counted.addAll(cycles(site, number));
            }
            return new StepTable(first, counted);
        }
    }

    private List<Cycle> cycles(StepSite site, int number) {
        return kinds.stream()
                .map(kind -> site.cycle(kind, number, millis(seconds)))
                .toList();
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis(Math.round(1_000 * seconds));
    }

    private static String versions() {
        return String.join(
                ", ",
                Command.output("nginx -v").strip().replace("nginx version: nginx/", "nginx "),
                Command.output("haproxy -v")
                        .lines()
                        .findFirst()
                        .orElse("")
                        .replaceAll("HAProxy version (\\S+).*", "HAProxy $1"),
                "Caddy " + Command.output("caddy version").strip());
    }
}
