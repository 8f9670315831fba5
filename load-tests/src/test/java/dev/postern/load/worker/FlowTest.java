package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.server.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of flows, and of destinations that change what they send back. */
class FlowTest {
    /** A message of this length is a whole capsule, or a message over TCP. */
    private static int length(String kind) {
        return kind.equals("tcp") ? Flow.MESSAGE : Flow.DATAGRAM + 4;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void makesRoundTripsOverEachTunnelInTurn(String kind) throws IOException {
        int port = Ports.free();
        EchoDestination.start(port);
        Flow.Opener opener = Flow.throughPeer(kind, port);

        try (Flow one = opener.open();
                Flow other = opener.open()) {
            assertThat(one.call()).isTrue();
            assertThat(other.call()).isTrue();
            one.exchange(8);
            assertThat(one.call()).isTrue();
            assertThat(one.sequence().arrived()).isEqualTo(10);
        }
        try (Flow later = opener.open()) {
            assertThat(later.call()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void findsTwoMessagesThatChangedPlaces(String kind) throws Exception {
        Sequence sequence = exchange(kind, messages -> {
            int length = length(kind);
            byte[] changed = messages.clone();
            System.arraycopy(messages, length, changed, 2 * length, length);
            System.arraycopy(messages, 2 * length, changed, length, length);
            return changed;
        });

        assertThat(sequence.outOfOrder()).isEqualTo(1);
        assertThat(sequence.missing()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "udp"})
    void findsAnAlteredMessage(String kind) throws Exception {
        Sequence sequence = exchange(kind, messages -> {
            byte[] changed = messages.clone();
            changed[changed.length - 1]++;
            return changed;
        });

        assertThat(sequence.outOfOrder()).isEqualTo(1);
    }

    private interface Fault {
        byte[] change(byte[] messages);
    }

    /** Exchanges four messages with a destination that changes them. */
    private static Sequence exchange(String kind, Fault fault) throws Exception {
        try (ServerSocket destination = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Flow flow = Flow.throughPeer(kind, destination.getLocalPort()).open();
                Socket accepted = destination.accept()) {
            Thread echo = new Thread(() -> {
                try {
                    byte[] messages = accepted.getInputStream().readNBytes(4 * length(kind));
                    accepted.getOutputStream().write(fault.change(messages));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            echo.start();
            flow.exchange(4);
            echo.join();
            return flow.sequence();
        }
    }

    @Test
    void findsTwoResponsesThatChangedPlaces() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Http1Socket connection = Http1Socket.to(origin.getLocalPort());
                Socket accepted = origin.accept()) {
            String head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n";
            String responses = String.join("", Arrays.asList(head + "/t/0", head + "/t/2", head + "/t/1"));
            accepted.getOutputStream().write(responses.getBytes(US_ASCII));

            Pipelined result = new PipelinedWorker.Exchanges(connection, "/t/", null).run(8, 3);

            assertThat(result.throughput().outOfOrder()).isEqualTo(1);
            assertThat(result.throughput().messages()).isEqualTo(3);
        }
    }
}
