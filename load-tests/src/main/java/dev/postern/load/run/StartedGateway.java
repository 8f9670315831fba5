package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.plan.RoomNeeds;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Installation that the run has started, without tokens.
 *
 * @param port of its listener
 */
record StartedGateway(ServerProcess gateway, int port, int adminPort) implements Installation {
    private static final String FRAME = """
        listeners:
          - {name: web, address: "127.0.0.1:%d", mode: %s}
        admin: {address: "127.0.0.1:%d"}
        log: {level: warn, successes: 0%%}
        """;
    private static final String ROOM = """
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:%d"]}
        rate-limits:
          - %s
        routes:
          - {host: "*", path: /, upstream: app, token: off, rate-limit: queue}
        """;
    private static final int WARM_UP = 200;

    /**
     * Starts a gateway with a waiting room in front of nginx: all visitors but the first need a pass, and a pass ends two seconds after the
     * last request.
     *
     * @param active sessions at once
     */
    static StartedGateway withRoom(RunFolder folder, int active) {
        Nginx origin = Nginx.origin(folder, "origin", Cores.ANY, 128, false);
        return start(folder, "reverse", ROOM.formatted(origin.port(), RoomNeeds.rateLimit(active)));
    }

    /** Starts a gateway that opens tunnels without tokens to all ports of this machine. */
    static StartedGateway forTunnels(RunFolder folder) {
        return start(folder, "forward, forward: all", Postern.FORWARD_ALL);
    }

    private static StartedGateway start(RunFolder folder, String mode, String sections) {
        int port = Ports.free();
        int admin = Ports.free();
        String yaml = FRAME.formatted(port, mode, admin) + sections;
        return new StartedGateway(Postern.gateway(folder, "gateway", Cores.ANY, yaml, admin), port, admin);
    }

    /** Opens tunnels one after the other, because a new JVM on a busy machine sheds load in its first seconds; refusals are ignored. */
    void openTunnels(int destination) {
        Progress.say("warming up with " + 2 * WARM_UP + " tunnels");
        TunnelClient client = new TunnelClient(new InetSocketAddress("127.0.0.1", port), null);
        for (int i = 0; i < WARM_UP; i++) {
            try (Socket tcp = client.tcp("127.0.0.1", destination);
                    UdpTunnel udp = client.udp("127.0.0.1", destination)) {
                tcp.getOutputStream().write(1);
                udp.send(new byte[1]);
                tcp.getInputStream().read();
            } catch (IOException e) {
                Progress.say("while warming up: " + Progress.firstLine(e));
            }
        }
    }

    @Override
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public Optional<URI> metrics() {
        return Optional.of(URI.create("http://127.0.0.1:" + adminPort + "/metrics"));
    }

    @Override
    public OptionalLong process() {
        return OptionalLong.of(gateway.pid());
    }
}
