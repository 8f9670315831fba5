package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Opens connections to a proxy and leaves them idle. Argument: port. A question is how many there shall be, or {@code ask}: a request on each of them.
 * The answer is how many there are.
 */
public final class IdleWorker {
    private final HeldConnections connections;

    private IdleWorker(int port) {
        connections = new HeldConnections(port);
    }

    public static void main(String... arguments) throws IOException {
        IdleWorker worker = new IdleWorker(Integer.parseInt(arguments[0]));
        Worker.serve(worker::answer);
    }

    private String answer(String question) {
        try {
            if (question.equals("ask")) {
                connections.askAll();
            } else {
                connections.grow(Integer.parseInt(question));
            }
            return String.valueOf(connections.all().size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
