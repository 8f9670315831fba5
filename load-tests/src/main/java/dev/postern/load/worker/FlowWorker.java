package dev.postern.load.worker;

import dev.postern.load.crowd.Crowd;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Flow worker: numbered messages over few tunnels or connections or over many, through several proxies, to a destination in this process.
 * Arguments: {@code tcp}, {@code udp} or {@code http}; port of the destination, which {@code http} does not start; {@code PROXY=PORT} for
 * each proxy, of which {@code gateway} opens tunnels.
 *
 * <p>Questions: {@code hold PROXY N} (opens or closes until N are open; the response is N), {@code load PROXY RATE CALLS} (one thread
 * makes round trips over all in turn; the response is {@link Latencies}), and {@code stream PROXY MILLIS} (some threads send as many
 * messages as they can; the response is {@link Throughput}).
 */
public final class FlowWorker implements Worker.Task {
    /** The proxy that opens tunnels. */
    public static final String GATEWAY = "gateway";

    private final Map<String, OpenFlows> proxies = new HashMap<>();

    FlowWorker(String... arguments) throws IOException {
        String kind = arguments[0];
        int destination = Integer.parseInt(arguments[1]);
        if (!kind.equals("http")) {
            EchoDestination.start(destination);
        }
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
    }

    @Override
    public Object response(String... words) throws IOException {
        OpenFlows flows = Known.in(proxies, "proxy", words[1]);
        int number = Integer.parseInt(words[2]);
        return switch (words[0]) {
            case "hold" -> flows.hold(number);
            case "load" -> OpenLoad.of(words[2], words[3]).run(List.of(flows));
            case "stream" -> flows.stream(number);
            default -> throw new IllegalArgumentException(words[0] + " (expected: one of hold, load, stream)");
        };
    }

    /** Open flows through one proxy, used in turn. */
    private static final class OpenFlows implements OpenLoad.Caller {
        /** Messages of a flow that are on their way at once, as many as the gateway forwards concurrently by default. */
        private static final int AT_ONCE = 8;
        /** The number of threads is the same for few flows and for many, so that only the number of flows differs. */
        private static final int THREADS = 10;

        private final Flow.Opener opener;
        private final List<Flow> open = new ArrayList<>();
        private int next;

        OpenFlows(Flow.Opener opener) {
            this.opener = opener;
        }

        /** Makes one round trip over each new one, so that both ends have it open. */
        int hold(int count) throws IOException {
            while (open.size() > count) {
                open.remove(open.size() - 1).close();
            }
            while (open.size() < count) {
                Flow opened = opener.open();
                open.add(opened);
                if (!opened.call()) {
                    throw new IOException("first round trip: another message (expected: the one that was sent)");
                }
            }
            next = 0;
            return open.size();
        }

        @Override
        public boolean call() throws IOException {
            Flow used = open.get(next);
            next = (next + 1) % open.size();
            return used.call();
        }

        /** Lets each thread use its share of the flows in turn: it sends {@value #AT_ONCE} messages at once and waits for them. */
        Throughput stream(int millis) {
            int arrived = sum(Sequence::arrived);
            int outOfOrder = sum(Sequence::outOfOrder);
            int missing = sum(Sequence::missing);
            long start = System.nanoTime();
            long end = start + millis * 1_000_000L;
            Crowd.run(Math.min(THREADS, open.size()), number -> () -> use(share(number), end));
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Throughput(
                    sum(Sequence::arrived) - arrived,
                    seconds,
                    sum(Sequence::outOfOrder) - outOfOrder,
                    sum(Sequence::missing) - missing);
        }

        private List<Flow> share(int number) {
            return IntStream.range(0, open.size())
                    .filter(i -> i % THREADS == number)
                    .mapToObj(open::get)
                    .toList();
        }

        /** Ends early when a flow breaks: its messages are missing then. */
        private static void use(List<Flow> flows, long end) {
            try {
                for (int i = 0; System.nanoTime() < end; i = (i + 1) % flows.size()) {
                    flows.get(i).exchange(AT_ONCE);
                }
            } catch (IOException e) {
                Progress.say("flow: " + e);
            }
        }

        private int sum(ToIntFunction<Sequence> count) {
            return open.stream().map(Flow::sequence).mapToInt(count).sum();
        }
    }
}
