package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Flow worker: numbered messages over few tunnels or connections or over many, through several proxies, to a destination in this process.
 * Arguments: {@code tcp}, {@code udp} or {@code http}; port of the destination, which {@code http} does not start; {@code PROXY=PORT} for
 * each proxy, of which {@code gateway} opens tunnels.
 *
 * <p>Questions: {@code hold PROXY N} (opens or closes until N are open; the response is N), {@code load PROXY RATE CALLS} (one thread
 * makes round trips over all in turn; the response is {@link Latencies}), and {@code stream PROXY MILLIS} (some threads send as many
 * messages as they can; the response is {@link Throughput}).
 */
public final class FlowWorker {
    /** The proxy that opens tunnels. */
    public static final String GATEWAY = "gateway";

    private final Map<String, OpenFlows> proxies;

    private FlowWorker(Map<String, OpenFlows> proxies) {
        this.proxies = proxies;
    }

    public static void main(String... arguments) throws IOException {
        String kind = arguments[0];
        int destination = Integer.parseInt(arguments[1]);
        if (!kind.equals("http")) {
            EchoDestination.start(destination);
        }
        Map<String, OpenFlows> proxies = new HashMap<>();
        for (String argument : List.of(arguments).subList(2, arguments.length)) {
            String[] words = argument.split("=");
            int port = Integer.parseInt(words[1]);
            proxies.put(
                    words[0],
                    new OpenFlows(
                            words[0].equals(GATEWAY)
                                    ? Flow.throughGateway(kind, port, destination)
                                    : Flow.throughPeer(kind, port)));
        }
        Worker.serve(new FlowWorker(proxies)::response);
    }

    private String response(String question) {
        String[] words = question.split(" ");
        OpenFlows flows = proxies.get(words[1]);
        if (flows == null) {
            throw new IllegalArgumentException(words[1] + " (expected: one of " + proxies.keySet() + ")");
        }
        int number = Integer.parseInt(words[2]);
        try {
            return switch (words[0]) {
                case "hold" -> String.valueOf(flows.hold(number));
                case "load" ->
                    new OpenLoad(number, Integer.parseInt(words[3]))
                            .run(List.of(flows))
                            .line();
                case "stream" -> flows.stream(number).line();
                default -> throw new IllegalArgumentException(words[0] + " (expected: one of hold, load, stream)");
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
