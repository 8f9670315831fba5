package dev.postern.load.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {

    /** The kernel alone would choose among 14,000: two of 500 are then almost always equal. */
    @Test
    void givesNoPortTwice() {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            ports.add(Ports.free());
        }
        assertThat(ports).hasSize(500);
    }

    @Test
    void aServerMayListen() throws IOException {
        int port = Ports.free();
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(server.getLocalPort()).isEqualTo(port);
        }
    }
}
