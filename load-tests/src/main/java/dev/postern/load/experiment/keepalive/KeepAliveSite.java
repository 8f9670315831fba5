package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.Known;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.Started;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Site of the experiment: an origin on the core of the load, and all variants on the measured core. */
final class KeepAliveSite implements AutoCloseable {
    private static final int BODY = 128;

    private final Started started = new Started();
    private final RunFolder folder = RunFolder.create("keepalive");
    private final Map<Variant, Peer> peers = new LinkedHashMap<>();
    private final Map<String, Integer> adminPorts = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    KeepAliveSite(List<Variant> variants) {
        Progress.say("configurations and logs: " + folder + "; leak detection is off");
        try {
            Nginx origin = started.add(Nginx.origin(folder, "origin", Cores.LOAD, BODY, false));
            variants.forEach(variant -> startOrSkip(variant, origin.port()));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startOrSkip(Variant variant, int originPort) {
        Progress.say("starting " + variant.name());
        try {
            peers.put(variant, started.add(start(variant, originPort)));
        } catch (IllegalStateException e) {
            if (!variant.optional()) {
                throw e;
            }
            missing.put(variant.name(), Alternation.firstLine(e));
            Progress.say(variant.name() + " is not measured: " + Alternation.firstLine(e));
        }
    }

    private Peer start(Variant variant, int originPort) {
        Variant.Gateway gateway = variant.gateway();
        if (gateway != null) {
            int adminPort = Ports.free();
            adminPorts.put(variant.name(), adminPort);
            return Peer.posternWithPool(
                    variant.name(), folder, originPort, adminPort, gateway.pool(), gateway.environment());
        }
        if (variant.kind().equals(Variant.DIRECT)) {
            Nginx second = Nginx.origin(folder, Variant.DIRECT, Cores.MEASURED, BODY, false);
            return new Peer(variant.name(), second.process(), URI.create("http://127.0.0.1:" + second.port() + "/"));
        }
        return Peer.start(variant.kind(), folder, originPort);
    }

    RunFolder folder() {
        return folder;
    }

    /** Returns the variants that run. */
    Map<Variant, Peer> peers() {
        return peers;
    }

    /** Returns the reasons why a variant does not run, by its name. */
    Map<String, String> missing() {
        return missing;
    }

    int adminPort(String gateway) {
        return Known.in(adminPorts, "gateway", gateway);
    }

    /** Reads the meters of all gateways, by the variant's name. */
    Map<String, Reuse> reuse() {
        Map<String, Reuse> all = new LinkedHashMap<>();
        adminPorts.forEach((name, port) -> all.put(name, Reuse.read(port)));
        return all;
    }

    /** Reads the meters again, and returns their growth since then. */
    Map<String, Reuse> reuseSince(Map<String, Reuse> before) {
        Map<String, Reuse> growth = new LinkedHashMap<>();
        before.forEach(
                (name, earlier) -> growth.put(name, Reuse.read(adminPort(name)).minus(earlier)));
        return growth;
    }

    @Override
    public void close() {
        started.close();
    }
}
