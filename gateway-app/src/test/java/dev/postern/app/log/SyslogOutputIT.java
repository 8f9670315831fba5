package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.config.HostPort;
import dev.postern.core.testing.ServerProcess;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SyslogOutputIT {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00.123456789Z");

    private final MockTicker ticker = Ticker.newMockTicker();

    private SyslogOutput output(int port) {
        return new SyslogOutput(new HostPort("127.0.0.1", port), InstantSource.fixed(NOW), ticker);
    }

    private static ServerSocket server(int port) throws IOException {
        ServerSocket server = new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
        server.setSoTimeout(30_000); // without a connection the test fails, and does not hang
        return server;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void sendsAMessageForEachLine() throws IOException {
        try (ServerSocket server = server(0);
                SyslogOutput output = output(server.getLocalPort())) {
            output.write(List.of("{\"path\":\"/ä\"}", "{}"));
            try (Socket accepted = server.accept();
                    BufferedReader in = reader(accepted)) {
                assertThat(in.readLine())
                        .matches("<134>1 2026-11-20T12:00:00\\.123456Z [!-~]+ postern "
                                + ProcessHandle.current().pid() + " exchange - \\{\"path\":\"/ä\"}");
                assertThat(in.readLine()).endsWith(" exchange - {}");
            }
        }
    }

    /** The first write to a closed connection succeeds, and its lines would be lost uncounted. */
    @Test
    void connectsAgainWhenTheServerHasClosed() throws IOException {
        try (ServerSocket server = server(0);
                SyslogOutput output = output(server.getLocalPort())) {
            output.write(List.of("first"));
            try (Socket accepted = server.accept();
                    BufferedReader in = reader(accepted)) {
                assertThat(in.readLine()).endsWith("first");
                accepted.shutdownOutput();
            }
            output.write(List.of("second"));
            try (Socket accepted = server.accept();
                    BufferedReader in = reader(accepted)) {
                assertThat(in.readLine()).endsWith("second");
            }
        }
    }

    @Test
    void refusesLinesWithoutAServerAndTriesAgainAfterAPause() throws IOException {
        int port = ServerProcess.freePort();
        try (SyslogOutput output = output(port)) {
            assertThatThrownBy(() -> output.write(List.of("lost"))).hasMessageContaining("Connection refused");
            try (ServerSocket server = server(port)) {
                assertThatThrownBy(() -> output.write(List.of("lost")))
                        .as("within the pause")
                        .hasMessageContaining("Connection refused");
                ticker.advance(1, TimeUnit.SECONDS);
                output.write(List.of("kept"));
                try (Socket accepted = server.accept();
                        BufferedReader in = reader(accepted)) {
                    assertThat(in.readLine()).endsWith("kept");
                }
            }
        }
    }
}
