package dev.postern.load.flatness;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures whether latency, memory, threads and descriptors stay flat while the number of tunnels rises and falls. */
@Command(
        name = "flatness",
        description = {
            "Tunnels or connections, 1, 10, 1,000, 10, 1 of them, at one total rate, up and down for the given time. One thread sends a"
                    + " message over each tunnel in turn and waits for its echo, so that only their number differs. 200 B over TCP,"
                    + " datagrams of 1,200 B over UDP, responses of 200 B over HTTP.",
            "",
            "Goals: the median at 1,000 is at most 1.15 times that at 10 (mean of the steps before and after), in the median of the"
                    + " cycles. Live heap and direct memory at the last step of 1 are at most 2 %% above the first one, after a full"
                    + " collection. The number of threads is constant, without JIT compilers. No message fails.",
            "",
            "Drift, with 6 cycles or more: medians of the last third of the cycles against those of the first third, each step"
                    + " with itself. Resident and direct memory and live heap: at most 2 %% more, in the median of the steps."
                    + " Descriptors and threads: equal at each step. p99: at most 1.15 times, in the median of the steps.",
            "",
            "The same steps through a bare relay of TCP connections stand beside, without goals, since 1,000 sockets"
                    + " cost client and kernel something, too (for udp the relay passes the same capsules on to an echo over TCP). The"
                    + " first cycle of each kind warms up; its growth is shown without a goal. 30 minutes: --minutes 30."
        },
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class FlatnessBench implements Callable<Integer> {
    private static final Set<String> KINDS = Set.of("tcp", "udp", "http");

    @Option(names = "--minutes", description = "Time for the cycles that count; the last one is completed.")
    double minutes = 5;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            description = "tcp, udp, http.",
            split = ",",
            defaultValue = "tcp,udp")
    List<String> kinds = new ArrayList<>();

    @Option(names = "--seconds", description = "Length of each step, once for the gateway and once for the relay.")
    int seconds = 2;

    @Option(names = "--rate", description = "Messages per second, of all tunnels together.")
    int rate = 2_000;

    @Option(
            names = "--warm-up",
            description =
                    "Seconds of load of each kind and proxy before the first cycle, more than a minute together: a thread of the"
                            + " JVM's common pool that the start used ends after a minute.")
    int warmUp = 20;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    CommandSpec spec;

    @Override
    public Integer call() {
        if (!KINDS.containsAll(kinds) || kinds.stream().distinct().count() < kinds.size()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--kinds: " + String.join(",", kinds) + " (expected: each at most once of tcp, udp, http)");
        }
        Table table = measure().table();
        System.out.println(table);
        return table.status();
    }

    private FlatnessTable measure() {
        try (FlatnessSite site = new FlatnessSite(kinds, rate)) {
            kinds.forEach(kind -> site.warmUp(kind, Duration.ofSeconds(warmUp)));
            Progress.say("cycle that warms up");
            List<Cycle> first = cycles(site);
            List<Cycle> counted = new ArrayList<>();
            long end = System.nanoTime() + (long) (minutes * 60e9);
            for (int number = 1; number == 1 || System.nanoTime() < end; number++) {
                Progress.say("cycle %d, %.1f minutes left"
                        .formatted(number, Math.max(0, end - System.nanoTime()) / 60e9));
                counted.addAll(cycles(site));
            }
            return new FlatnessTable(first, counted);
        }
    }

    private List<Cycle> cycles(FlatnessSite site) {
        return kinds.stream()
                .map(kind -> site.cycle(kind, Duration.ofSeconds(seconds)))
                .toList();
    }
}
