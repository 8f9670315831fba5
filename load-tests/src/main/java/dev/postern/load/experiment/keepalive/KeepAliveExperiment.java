package dev.postern.load.experiment.keepalive;

import dev.postern.load.evidence.Evidence;
import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Load;
import dev.postern.load.proxies.Pace;
import dev.postern.load.proxies.PaceOptions;
import dev.postern.load.proxies.PeerContender;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the gateway with and without kept-alive upstream connections, beside other proxies. */
@Command(
        name = "keepalive",
        description = "The gateway with and without kept-alive upstream connections and JIT compilers, beside nginx,"
                + " HAProxy, Vert.x, Spring Cloud Gateway and a relay of bytes, with flame graphs.")
public final class KeepAliveExperiment implements Callable<Integer> {
    /** Images of the flame graphs by the name of the variant. */
    private static final Map<String, String> IMAGES =
            Map.of(Variant.WITHOUT, "keepalive-flame-off.png", Variant.POSTERN, "keepalive-flame-on.png");

    private static final int CONNECTIONS = 64;
    private static final Duration SHORT = Duration.ofSeconds(1);

    @Mixin
    PaceOptions options = new PaceOptions(9, 2, 25);

    @Option(names = "--flame", description = "Seconds of each flame graph.")
    int flame = 5;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        try (RunFolder folder = RunFolder.create(spec.name())) {
            Files.createDirectories(Evidence.FOLDER);
            Measured measured = measure(folder);
            return Evidence.of(spec, KeepAliveTable.of(measured), data(measured), new KeepAliveCharts(measured).all())
                    .publish();
        }
    }

    private Measured measure(RunFolder folder) {
        KeepAliveSite site = new KeepAliveSite(folder);
        Load load = Load.http1(CONNECTIONS);
        Pace pace = options.pace();
        List<PeerContender> contenders = new ArrayList<>();
        site.peers().forEach((variant, peer) -> {
            Duration needed = variant.getsFaster() ? pace.warmUp() : SHORT;
            Progress.say("warming up " + variant.name() + ", " + needed.toSeconds() + " s");
            load.warmUp(peer, needed);
            contenders.add(new PeerContender(peer, load));
        });
        Map<String, Reuse> before = site.reuse();
        Alternation alternation = new Alternation(spec.name(), pace);
        alternation.take(contenders);
        Map<String, Reuse> reuse = site.reuseSince(before);
        return new Measured(alternation.rounds(), site.missing(), reuse, flames(folder, contenders, site));
    }

    /** Takes a flame graph of the gateway without keep-alive and one with it, and draws both. */
    private Map<String, FlameStacks> flames(RunFolder folder, List<PeerContender> contenders, KeepAliveSite site) {
        Map<String, FlameStacks> flames = new LinkedHashMap<>();
        for (PeerContender contender : contenders) {
            String image = IMAGES.get(contender.name());
            if (image != null) {
                LoadedFlameGraph graph = LoadedFlameGraph.take(
                        folder, contender, site.adminPort(contender.name()), Duration.ofSeconds(flame));
                graph.draw(Evidence.FOLDER.resolve(image), folder);
                flames.put(contender.name(), graph.stacks());
            }
        }
        return flames;
    }

    private static Map<String, Object> data(Measured measured) {
        return Map.of(
                "rounds", measured.rounds().all(),
                "missing", measured.missing(),
                "reuse", measured.reuse(),
                "flames", measured.flames());
    }
}
