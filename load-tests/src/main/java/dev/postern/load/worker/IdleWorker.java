package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Idle worker: opens connections to a proxy and leaves them idle. Arguments: port; {@code h1}, {@code h2} or
 * {@code tls}. A question is the required number of connections, or {@code check} for a check that all are still open.
 * The response is the number of connections.
 */
public final class IdleWorker {
    private IdleWorker() {}

    public static void main(String... arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        String protocol = arguments[1];
        Held held = protocol.equals("h1") ? new HeldConnections(port) : new HeldSockets(port, protocol.equals("tls"));
        Worker.serve(question -> response(held, question));
    }

    private static String response(Held held, String question) {
        try {
            return String.valueOf(question.equals("check") ? held.check() : held.grow(Integer.parseInt(question)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
