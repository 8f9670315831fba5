package dev.postern.load.proxies;

import dev.postern.load.peer.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures the proxy engine: CPU time, latency, heap and memory of the gateway beside nginx, HAProxy, two proxies on
 * the JVM and a bare relay.
 */
@Command(
        name = "proxies",
        description =
                "The gateway beside nginx, HAProxy, Vert.x, Spring Cloud Gateway and a relay of bytes: CPU time per"
                        + " request, added latency, heap, memory of idle connections.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class ProxiesBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 20;

    @Option(names = "--seconds", description = "Length of each peer's turn.")
    int seconds = 5;

    @Option(names = "--warm-up", description = "Seconds of load on each peer before the first round.")
    int warmUp = 10;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "Once for each, all by default: small-64, small-256, small-2000, one-connection, 64k, 1m, h2,"
                    + " heap, idle, idle-h2, idle-tls, warm-up.",
            split = ",")
    List<String> only = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    CommandSpec spec;

    @Override
    public Integer call() {
        Pace pace = new Pace(rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
        return PartList.status(new PartList(parts()).measure(only, pace, spec));
    }

    private List<Part> parts() {
        List<Part> all = new ArrayList<>();
        LoadRow.ALL.forEach(row -> all.add(new LoadPart(row, Peer::start)));
        all.addAll(List.of(
                new HeapPart(),
                new IdlePart(IdlePart.Kind.H1),
                new IdlePart(IdlePart.Kind.H2),
                new IdlePart(IdlePart.Kind.TLS),
                new WarmUpPart()));
        return all;
    }
}
