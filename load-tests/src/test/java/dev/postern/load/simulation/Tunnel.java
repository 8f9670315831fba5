package dev.postern.load.simulation;

import dev.postern.load.tunnel.TunnelClient;
import io.gatling.javaapi.core.Simulation;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;

/** Verifies TCP tunnels (CONNECT): each opens, and each message comes back. */
public final class Tunnel extends Simulation {
    private static final int MAX_MILLIS = 10_000;

    {
        Echoes echoes = new Echoes(Visits.of(Tunnel.class));
        setUp(echoes.population(Tunnel::open)).assertions(echoes.assertions());
    }

    private static Echoes.Tunnel open(TunnelClient client, String host, int port) throws IOException {
        Socket socket = client.tcp(host, port);
        socket.setSoTimeout(MAX_MILLIS);
        return new Echoes.Tunnel() {
            @Override
            public byte[] echo(byte[] message) throws IOException {
                socket.getOutputStream().write(message);
                byte[] echo = new byte[message.length];
                new DataInputStream(socket.getInputStream()).readFully(echo);
                return echo;
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }
}
