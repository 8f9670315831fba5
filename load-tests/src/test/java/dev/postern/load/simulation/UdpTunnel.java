package dev.postern.load.simulation;

import dev.postern.load.tunnel.TunnelClient;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;

/** Verifies UDP tunnels (CONNECT-UDP over HTTP/1.1): each opens, and each datagram comes back. */
public final class UdpTunnel extends Simulation {
    private static final int MAX_MILLIS = 10_000;

    {
        Echoes echoes = new Echoes(Visits.of(UdpTunnel.class));
        setUp(echoes.population(UdpTunnel::open)).assertions(echoes.assertions());
    }

    private static Echoes.Tunnel open(TunnelClient client, String host, int port) throws IOException {
        dev.postern.load.tunnel.UdpTunnel tunnel = client.udp(host, port);
        tunnel.timeout(MAX_MILLIS);
        return new Echoes.Tunnel() {
            @Override
            public byte[] echo(byte[] message) throws IOException {
                tunnel.send(message);
                return tunnel.receive();
            }

            @Override
            public void close() throws IOException {
                tunnel.close();
            }
        };
    }
}
