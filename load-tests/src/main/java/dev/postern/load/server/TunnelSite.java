package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Site for tunnels: a gateway with a forward listener, which opens them without tokens to all ports of this machine.
 *
 * @param port of the forward listener
 */
public record TunnelSite(ServerProcess gateway, int port, int adminPort) {
    private static final String YAML = """
            listeners:
              - {name: out, address: "127.0.0.1:%d", mode: forward, forward: all}
            admin: {address: "127.0.0.1:%d"}
            log: {level: warn, successes: 0%%}
            """ + Postern.FORWARD_ALL;

    private static final int WARM_UP = 200;

    public static TunnelSite start(RunFolder folder) {
        int port = Ports.free();
        int admin = Ports.free();
        return new TunnelSite(
                Postern.gateway(folder, "gateway", Cores.ANY, YAML.formatted(port, admin), admin), port, admin);
    }

    /** Opens tunnels one after the other, because a new JVM on a busy machine sheds load in its first seconds; refusals are ignored. */
    public void warmUp(int destination) {
        Progress.say("warming up with " + 2 * WARM_UP + " tunnels");
        TunnelClient client = new TunnelClient(new InetSocketAddress("127.0.0.1", port), null);
        for (int i = 0; i < WARM_UP; i++) {
            try (Socket tcp = client.tcp("127.0.0.1", destination);
                    UdpTunnel udp = client.udp("127.0.0.1", destination)) {
                tcp.getOutputStream().write(1);
                udp.send(new byte[1]);
                tcp.getInputStream().read();
            } catch (IOException e) {
                Progress.say(
                        "while warming up: " + String.valueOf(e.getMessage()).split("\n", 2)[0]);
            }
        }
    }
}
