package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Idle tunnels worker: opens tunnels through a forward proxy and leaves them idle. Arguments: port; {@code tcp},
 * {@code udp} or {@code h2}. Questions: {@code churn N} (opens and closes N tunnels one after the other), {@code hold N}
 * (until N are open), {@code check} (that all are still open). The response is the number of open tunnels.
 */
public final class IdleTunnelsWorker {
    private IdleTunnelsWorker() {}

    public static void main(String... arguments) throws IOException {
        HeldTunnels held = new HeldTunnels(Integer.parseInt(arguments[0]), arguments[1]);
        Worker.serve(question -> response(held, question.split(" ")));
    }

    private static String response(HeldTunnels held, String... words) {
        try {
            return String.valueOf(
                    switch (words[0]) {
                        case "churn" -> held.churn(Integer.parseInt(words[1]));
                        case "hold" -> held.grow(Integer.parseInt(words[1]));
                        default -> held.check();
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
