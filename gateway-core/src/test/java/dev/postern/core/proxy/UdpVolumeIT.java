package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.LoopbackPort;
import dev.postern.core.testing.UdpTunnelClient;
import dev.postern.core.testing.UdpTunnelClient.Version;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that numbered datagrams of many tunnels arrive in order, and that each one which does not arrive is counted: by the gateway, or by
 * the kernel as a drop of the receiving socket. {@code -Dudp.datagrams=1000000} sends more.
 */
@Tag("long")
@ExtendWith(LeakExtension.class)
class UdpVolumeIT {

    /** Of all flows together; a multiple of 2,000. */
    private static final int DATAGRAMS = Integer.getInteger("udp.datagrams", 200_000);

    private static final int PAYLOAD = 100;
    private static final int BATCH = 100;

    private final CoreGateway gateway = new CoreGateway(Setup.of("127.0.0.1:1"));
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        gateway.close();
    }

    /** Receiver of one flow. */
    private static final class Receiver implements AutoCloseable {

        private final LoopbackPort port = LoopbackPort.open();
        private final DatagramSocket socket = port.udp();
        private int received;
        private volatile boolean sent;

        Receiver() throws IOException {
            socket.setReceiveBufferSize(8 * 1024 * 1024);
            socket.setSoTimeout(200);
        }

        int port() {
            return port.number();
        }

        /** Counts datagrams, whose numbers must rise, until all were sent and none is left. */
        int receiveAll() throws IOException {
            DatagramPacket packet = new DatagramPacket(new byte[PAYLOAD], PAYLOAD);
            int previous = -1;
            while (true) {
                boolean last = sent;
                try {
                    socket.receive(packet);
                } catch (SocketTimeoutException e) {
                    if (last) {
                        return received;
                    }
                    continue;
                }
                int number = ByteBuffer.wrap(packet.getData()).getInt();
                assertThat(number).isGreaterThan(previous);
                previous = number;
                received++;
            }
        }

        /** Returns the datagrams that the kernel dropped because the socket's buffer was full. */
        long drops() throws IOException {
            String local = String.format(Locale.ROOT, ":%04X", port());
            for (String table : List.of("/proc/net/udp", "/proc/net/udp6")) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] words = line.trim().split("\\s+");
                    if (words[1].endsWith(local)) {
                        return Long.parseLong(words[words.length - 1]);
                    }
                }
            }
            throw new IOException("no socket " + local);
        }

        @Override
        public void close() throws IOException {
            port.close();
        }
    }

    private static byte[] batch(int first, int count) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = first; i < first + count; i++) {
            byte[] payload = new byte[PAYLOAD];
            ByteBuffer.wrap(payload).putInt(i);
            all.writeBytes(UdpTunnelClient.capsule(payload));
        }
        return all.toByteArray();
    }

    private void send(Version version, int port, int count) throws Exception {
        String path = "/.well-known/masque/udp/127.0.0.1/" + port + "/";
        if (version == Version.HTTP_1) {
            sendOverHttp1(path, count);
        } else {
            sendOverHttp2(path, count);
        }
    }

    private void sendOverHttp1(String path, int count) {
        try (UdpTunnelClient client = Version.HTTP_1.open(gateway.forwardPort(), path)) {
            for (int i = 0; i < count; i += BATCH) {
                client.bytes(batch(i, BATCH));
            }
            assertThat(client.finish().end()).isEqualTo("END");
        }
    }

    private void sendOverHttp2(String path, int count) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.forwardPort());
        try (FrameClient client = FrameClient.over(socket).greet()) {
            SendWindows windows = new SendWindows();
            client.headers(1, false, UdpTunnelClient.extendedConnect(path));
            while (client.soFar(1).status().isEmpty()) {
                windows.note(client.next());
            }
            Future<?> reader = threads.submit(() -> readWindows(client, windows));
            for (int i = 0; i < count; i += BATCH) {
                byte[] data = batch(i, BATCH);
                windows.acquire(1, data.length);
                client.frame(FrameClient.DATA, 0, 1, data);
            }
            client.data(1, true, "");
            reader.get(120, TimeUnit.SECONDS);
        }
    }

    private static void readWindows(FrameClient client, SendWindows windows) {
        while (!client.soFar(1).ended() && client.soFar(1).reset().isEmpty()) {
            windows.note(client.next());
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, 1", "HTTP_2, 1", "HTTP_1, 20", "HTTP_2, 20"})
    void datagramsArriveInOrderOrAreCounted(Version version, int flows) throws Exception {
        int each = DATAGRAMS / flows;
        List<Receiver> receivers = new ArrayList<>();
        List<Future<Integer>> receiving = new ArrayList<>();
        List<Future<?>> sending = new ArrayList<>();
        try {
            for (int i = 0; i < flows; i++) {
                Receiver receiver = new Receiver();
                receivers.add(receiver);
                receiving.add(threads.submit(receiver::receiveAll));
                sending.add(threads.submit(() -> {
                    send(version, receiver.port(), each);
                    return null;
                }));
            }
            for (Future<?> done : sending) {
                done.get(120, TimeUnit.SECONDS);
            }
            await().until(() -> gateway.gauge("postern.tunnels", "kind", "connect-udp") == 0);
            long arrived = 0;
            long dropped = 0;
            for (int i = 0; i < flows; i++) {
                receivers.get(i).sent = true;
                arrived += receiving.get(i).get(120, TimeUnit.SECONDS);
                dropped += receivers.get(i).drops();
            }
            long counted = (long) (datagrams("dropped") + datagrams("failed"));
            assertThat(arrived + dropped + counted).isEqualTo((long) flows * each);
            assertThat((long) datagrams("forwarded")).isEqualTo(arrived + dropped);
            assertThat(arrived).isPositive();
        } finally {
            for (Receiver receiver : receivers) {
                receiver.close();
            }
        }
    }

    private double datagrams(String outcome) {
        return gateway.count("postern.tunnel.datagrams", "direction", "to-destination", "outcome", outcome);
    }
}
