package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.Known;
import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** Site of the experiment: an origin on the core of the load, and all variants on the measured core. */
final class KeepAliveSite {
    private static final int BODY = 128;

    private final RunFolder folder;
    private final Map<Variant, Peer> peers = new LinkedHashMap<>();
    private final Map<String, Integer> adminPorts = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    KeepAliveSite(RunFolder folder) {
        this.folder = folder;
        Progress.say("configurations and logs: " + folder + "; leak detection is off");
        Nginx origin = Nginx.origin(folder, "origin", Cores.LOAD, BODY, false);
        Variant.ALL.forEach(variant -> startOrSkip(variant, origin.port()));
    }

    private void startOrSkip(Variant variant, int originPort) {
        Progress.say("starting " + variant.name());
        try {
            peers.put(variant, start(variant, originPort));
        } catch (IllegalStateException e) {
            if (!variant.optional()) {
                throw e;
            }
            missing.put(variant.name(), Progress.firstLine(e));
            Progress.say(variant.name() + " is not measured: " + Progress.firstLine(e));
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
        if (variant.name().equals(Variant.DIRECT)) {
            Nginx second = Nginx.origin(folder, Variant.DIRECT, Cores.MEASURED, BODY, false);
            return new Peer(variant.name(), second.process(), URI.create("http://127.0.0.1:" + second.port() + "/"));
        }
        return Peer.start(variant.name(), folder, originPort);
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
}
