package dev.postern.load.worker;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Add worker: the round trip of one {@code add} over a bare socket, with one write and one read. Argument: memcached's
 * port. A question is {@code RATE CALLS}.
 */
public final class AddWorker implements OpenLoad.Caller {
    private final OutputStream out;
    private final InputStream in;
    private final String prefix = "bare:" + ProcessHandle.current().pid() + ":";
    private long number;

    private AddWorker(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    public static void main(String... arguments) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
            AddWorker caller = new AddWorker(socket);
            Worker.serve(question -> {
                String[] words = question.split(" ");
                OpenLoad load = new OpenLoad(Double.parseDouble(words[0]), Integer.parseInt(words[1]));
                return load.run(List.of(caller)).line();
            });
        }
    }

    @Override
    public boolean call() throws IOException {
        // The length of a ledger's key and mark.
        String key = prefix + "%040d".formatted(number++);
        out.write(("add " + key + " 0 60 16\r\n0123456789abcdef\r\n").getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder line = new StringBuilder(16);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed by memcached");
            }
            line.append((char) next);
        }
        return line.toString().equals("STORED\r");
    }
}
