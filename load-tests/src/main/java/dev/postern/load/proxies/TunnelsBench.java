package dev.postern.load.proxies;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures tunnels of the forward proxy: TCP beside HAProxy, UDP beside a relay of datagrams, memory of idle tunnels. */
@Command(
        name = "tunnels",
        description =
                "Tunnels of the forward proxy: UDP datagrams per second and core and their round trip beside a bare"
                        + " relay, bytes of a TCP tunnel beside HAProxy in tcp mode, memory of idle tunnels.")
public final class TunnelsBench implements Callable<Integer> {
    @Mixin
    PartOptions options = new PartOptions(8, 1, 6);

    @Override
    public Integer call() {
        List<Part> all = new ArrayList<>();
        all.addAll(TunnelPart.ALL);
        all.addAll(IdleTunnelsPart.ALL);
        return options.measure(all);
    }
}
