package dev.postern.load.jmh;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Cost;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks of JMH silently; one that fails ends the run. */
public final class Jmh {
    private Jmh() {}

    /** Returns options that include these methods of a class, all without a name. */
    public static ChainedOptionsBuilder options(Class<?> benchmarks, String... methods) {
        String names = methods.length == 0 ? ".*" : "(" + String.join("|", methods) + ")$";
        return new OptionsBuilder()
                .include("^" + benchmarks.getName().replace(".", "\\.") + "\\." + names)
                .forks(1)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    /** Sets iterations of the same length, before those that count and of those that count. */
    public static ChainedOptionsBuilder iterations(
            ChainedOptionsBuilder options, int warmUps, int counted, TimeValue length) {
        return options.warmupIterations(warmUps)
                .warmupTime(length)
                .measurementIterations(counted)
                .measurementTime(length);
    }

    public static Collection<RunResult> run(ChainedOptionsBuilder options) {
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH: " + e.getMessage(), e);
        }
    }

    /** Returns the scores of a method, one of each JVM. */
    public static List<Double> scores(Collection<RunResult> results, String method) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .flatMap(result -> result.getBenchmarkResults().stream())
                .map(BenchmarkResult::getPrimaryResult)
                .map(jvm -> jvm.getScore())
                .toList();
    }

    /** Runs one benchmark in a JVM on the measured core, and returns what an operation cost there. */
    public static Cost cost(RunFolder folder, ChainedOptionsBuilder benchmark, Map<String, String> parameters) {
        parameters.forEach(benchmark::param);
        return CostProfiler.cost(run(benchmark
                .jvm(pinned(folder).toString())
                .addProfiler(GCProfiler.class)
                .addProfiler(CostProfiler.class)));
    }

    /** Returns a program that starts the JVM on the measured core. */
    private static Path pinned(RunFolder folder) {
        String command = String.join(" ", Cores.MEASURED.pin(List.of(Command.ofJdk("java"))));
        Path program = folder.write("pinned-java", "#!/bin/sh\nexec " + command + " \"$@\"\n");
        Command.output("chmod +x", program);
        return program;
    }
}
