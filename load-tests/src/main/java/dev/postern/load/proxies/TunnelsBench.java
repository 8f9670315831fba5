package dev.postern.load.proxies;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures tunnels of the forward proxy: TCP beside HAProxy, UDP beside a relay of datagrams, memory of idle tunnels. */
@Command(
        name = "tunnels",
        description =
                "Tunnels of the forward proxy: UDP datagrams per second and core and their round trip beside a bare"
                        + " relay, bytes of a TCP tunnel beside HAProxy in tcp mode, memory of idle tunnels.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
public final class TunnelsBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 8;

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds = 1;

    @Option(names = "--warm-up", description = "Seconds of load on the gateway before the first round.")
    int warmUp = 6;

    @Option(
            names = "--only",
            paramLabel = "PART",
            description = "Once for each, all by default: up, down, trip, stream, large-buffers,"
                    + " idle-tcp, idle-udp, idle-h2.",
            split = ",")
    List<String> only = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls.
    CommandSpec spec;

    @Override
    public Integer call() {
        Pace pace = new Pace(rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
        List<Part> all = new ArrayList<>();
        Stream.of(TunnelPart.Kind.values()).map(TunnelPart::new).forEach(all::add);
        Stream.of(IdleTunnelsPart.Kind.values()).map(IdleTunnelsPart::new).forEach(all::add);
        return PartList.status(new PartList(all).measure(only, pace, spec));
    }
}
