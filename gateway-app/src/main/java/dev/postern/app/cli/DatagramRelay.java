package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.client.DatagramStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Relay between standard streams and a UDP tunnel: each line is a datagram. Ends when the input has ended and no reply has come for a
 * second.
 */
final class DatagramRelay {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final DatagramStream datagrams;
    private final BufferedReader lines;
    private final PrintWriter out;
    private volatile @Nullable IOException failure;

    DatagramRelay(DatagramStream datagrams, InputStream in, PrintWriter out) {
        this.datagrams = datagrams;
        this.lines = new BufferedReader(new InputStreamReader(in, UTF_8));
        this.out = out;
    }

    /** Relays until the end; throws when the proxy ends the tunnel before, and when a line is no datagram. */
    void run() throws IOException {
        Thread sender = new Thread(this::send, "datagrams");
        sender.setDaemon(true);
        sender.start();
        boolean sending = true;
        boolean replied = true;
        while (sending || replied) {
            sending = sender.isAlive();
            Optional<byte[]> reply = datagrams.receive(PATIENCE);
            replied = reply.isPresent();
            reply.ifPresent(payload -> {
                out.println(new String(payload, UTF_8));
                out.flush();
            });
        }
        IOException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    private void send() {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                datagrams.send(line.getBytes(UTF_8));
            }
        } catch (IOException e) {
            failure = e;
        }
    }
}
