package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests upstreams with Unix domain sockets. */
class UnixSocketIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io-uring"})
    void upstreamsMayHaveUnixSockets(String kind) throws IOException {
        Path path = folder.resolve("app.sock");
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Thread thread = new Thread(() -> serve(server, connections), "unix-origin");
            thread.setDaemon(true);
            thread.start();
            try (Site site = Site.with("upstreams.app.endpoints=[\"unix:" + path + "\"]", "transport.kind=" + kind);
                    RawClient client = site.client()) {
                assertThat(client.get("/one").body()).isEqualTo("hello");
                assertThat(client.get("/two").body()).isEqualTo("hello");
                assertThat(connections.get()).isEqualTo(1);
            }
        }
        Files.deleteIfExists(path);
        try (Site site = Site.with("upstreams.app.endpoints=[\"unix:" + path + "\"]", "transport.kind=" + kind)) {
            assertThat(site.get("/").body()).contains("upstream-refused");
        }
    }

    private static void serve(ServerSocketChannel server, AtomicInteger connections) {
        try {
            SocketChannel one = server.accept();
            connections.getAndIncrement();
            StringBuilder head = new StringBuilder();
            ByteBuffer in = ByteBuffer.allocate(4096);
            while (one.read(in) >= 0) {
                head.append(US_ASCII.decode(in.flip()));
                in.clear();
                if (head.toString().endsWith("\r\n\r\n")) {
                    head.setLength(0);
                    one.write(US_ASCII.encode("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"));
                }
            }
        } catch (IOException e) {
            // The test closed the channel.
        }
    }
}
