package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.server.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripsTest {
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void makesRoundTripsOverEachTunnelInTurn(String kind) throws IOException {
        int port = Ports.free();
        EchoDestination.start(port);
        RoundTrips.Opener opener = RoundTrips.throughRelay(kind, port);

        try (RoundTrips one = opener.open();
                RoundTrips other = opener.open()) {
            assertThat(one.call()).isTrue();
            assertThat(other.call()).isTrue();
            assertThat(one.call()).isTrue();
        }
        try (RoundTrips later = opener.open()) {
            assertThat(later.call()).isTrue();
        }
    }

    @Test
    void findsAnotherMessage() throws IOException {
        byte[] another = new byte[RoundTrips.MESSAGE];
        another[RoundTrips.MESSAGE - 1] = 1;
        try (ServerSocket destination = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RoundTrips trips = RoundTrips.throughRelay("tcp", destination.getLocalPort())
                        .open();
                Socket accepted = destination.accept()) {
            accepted.getOutputStream().write(another);

            assertThat(trips.call()).isFalse();
        }
    }
}
