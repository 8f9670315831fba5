package dev.postern.load.jmh;

import dev.postern.load.measure.Cost;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.ThreadTimes;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;

/** Profiler of JMH: wall time and CPU time of an operation in each iteration, a part of its {@link Cost}. */
public final class CostProfiler implements InternalProfiler {
    private static final String NANOS = "wall";
    private static final String CPU = "cpu";
    private static final String HEAP = "gc.alloc.rate.norm"; // of GCProfiler

    private ThreadTimes times = now();
    private long start;

    @Override
    public String getDescription() {
        return "wall time and CPU time of an operation, without that of the JIT compilers";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        times = now();
        start = System.nanoTime();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = System.nanoTime() - start;
        double cpu = now().minus(times).work().toNanos();
        double operations = result.getMetadata().getAllOps();
        return List.of(
                new ScalarResult(NANOS, nanos / operations, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(CPU, cpu / operations, "ns/op", AggregationPolicy.AVG));
    }

    private static ThreadTimes now() {
        return ThreadTimes.of(ProcessHandle.current().pid());
    }

    /** Returns the cost by the results of a run of one benchmark. */
    static Cost cost(Collection<RunResult> results) {
        RunResult run = results.iterator().next();
        return new Cost(1e9 / figure(run, NANOS), figure(run, CPU) / 1e3, figure(run, HEAP));
    }

    private static double figure(RunResult run, String name) {
        return Known.in(run.getSecondaryResults(), "figure", name).getScore();
    }
}
