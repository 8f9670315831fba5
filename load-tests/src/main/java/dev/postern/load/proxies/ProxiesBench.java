package dev.postern.load.proxies;

import dev.postern.load.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the proxy engine: CPU time, latency, heap and memory of the gateway beside nginx, HAProxy, two proxies on
 * the JVM and a bare relay.
 */
@Command(
        name = "proxies",
        description =
                "The gateway beside nginx, HAProxy, Vert.x, Spring Cloud Gateway and a relay of bytes: CPU time per"
                        + " request, added latency, heap, memory of idle connections.")
public final class ProxiesBench implements Callable<Integer> {
    @Mixin
    PartOptions options = new PartOptions(20, 5, 10);

    @Override
    public Integer call() {
        List<Part> all = new ArrayList<>();
        LoadRow.ALL.forEach(row -> all.add(new LoadPart(row, Peer::start)));
        all.add(new HeapPart());
        all.addAll(IdlePart.ALL);
        all.add(new WarmUpPart());
        return options.measure(all);
    }
}
