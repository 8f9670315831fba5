package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Flatness worker: round trips at one rate over few tunnels or connections or over many, through the gateway and through a relay, to a
 * destination in this process. Arguments: {@code tcp}, {@code udp} or {@code http}; port of the gateway; port of the relay; port of the
 * destination, which {@code http} does not start.
 *
 * <p>Questions: {@code hold PROXY N} (opens or closes until N are open; the response is N) and {@code load PROXY RATE CALLS} (the response is
 * {@link Latencies}), where the proxy is {@code gateway} or {@code relay}. One thread uses all tunnels in turn, so that their number is all
 * that differs.
 */
public final class FlatnessWorker {
    private final OpenTunnels gateway;
    private final OpenTunnels relay;

    private FlatnessWorker(OpenTunnels gateway, OpenTunnels relay) {
        this.gateway = gateway;
        this.relay = relay;
    }

    public static void main(String... arguments) throws IOException {
        String kind = arguments[0];
        int destination = Integer.parseInt(arguments[3]);
        if (!kind.equals("http")) {
            EchoDestination.start(destination);
        }
        FlatnessWorker worker = new FlatnessWorker(
                new OpenTunnels(RoundTrips.throughGateway(kind, Integer.parseInt(arguments[1]), destination)),
                new OpenTunnels(RoundTrips.throughRelay(kind, Integer.parseInt(arguments[2]))));
        Worker.serve(worker::response);
    }

    private String response(String question) {
        String[] words = question.split(" ");
        OpenTunnels tunnels = words[1].equals("gateway") ? gateway : relay;
        try {
            return words[0].equals("hold")
                    ? String.valueOf(tunnels.hold(Integer.parseInt(words[2])))
                    : new OpenLoad(Double.parseDouble(words[2]), Integer.parseInt(words[3]))
                            .run(List.of(tunnels))
                            .line();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Open tunnels or connections, used in turn. */
    private static final class OpenTunnels implements OpenLoad.Caller {
        private final RoundTrips.Opener opener;
        private final List<RoundTrips> open = new ArrayList<>();
        private int next;

        OpenTunnels(RoundTrips.Opener opener) {
            this.opener = opener;
        }

        /** Makes one round trip over each new one, so that both ends have it open. */
        int hold(int count) throws IOException {
            while (open.size() > count) {
                open.remove(open.size() - 1).close();
            }
            while (open.size() < count) {
                RoundTrips opened = opener.open();
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
            RoundTrips used = open.get(next);
            next = (next + 1) % open.size();
            return used.call();
        }
    }
}
