package dev.postern.app.flame;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminExchange;
import dev.postern.app.profile.Profile;
import dev.postern.app.profile.Profiler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Page {@code /flamegraph}: takes a profile of this process, one at a time, and shows it; shows and compares kept profiles. Thread-safe.
 */
public final class FlamePage implements AdminEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(FlamePage.class);
    private static final String TEXT = "text/plain";

    private final Profiler profiler;
    private final InstantSource clock;
    private final FlameHtml html = new FlameHtml();
    private final GraphHistory kept = new GraphHistory();
    private final Semaphore free = new Semaphore(1);
    private volatile Instant end = Instant.EPOCH;

    /** @param profiler called by one thread at a time */
    public FlamePage(Profiler profiler, InstantSource clock) {
        this.profiler = profiler;
        this.clock = clock;
    }

    @Override
    public void show(AdminExchange exchange) throws IOException {
        // Also refused for kept graphs: pages of other sites have no access, and must not make this process work.
        if (exchange.foreign()) {
            exchange.send(
                    403, TEXT, "Requested by a page of another site (expected: this address itself, or no browser).\n");
            return;
        }
        FlameQuery query;
        try {
            query = FlameQuery.of(exchange::parameter);
        } catch (IllegalArgumentException e) {
            exchange.send(400, TEXT, e.getMessage() + "\n");
            return;
        }
        if (exchange.headOnly()) {
            send(exchange, ""); // HEAD takes no profile
        } else if (query instanceof FlameQuery.Take take) {
            takeAlone(exchange, take);
        } else if (query instanceof FlameQuery.Show one) {
            again(exchange, one.id());
        } else if (query instanceof FlameQuery.Compare two) {
            compare(exchange, two);
        }
    }

    private void takeAlone(AdminExchange exchange, FlameQuery.Take ask) throws IOException {
        if (!free.tryAcquire()) {
            long left = Duration.between(clock.instant(), end).toSeconds() + 1;
            busy(exchange, Math.max(1, left));
            return;
        }
        Instant begin = clock.instant();
        end = begin.plus(ask.length());
        // Released before the response is sent, so that a client can request the next profile as soon as it has the
        // response.
        Taken taken;
        try {
            taken = take(ask, begin);
        } finally {
            free.release();
        }
        taken.tell(exchange);
    }

    /** Result of a profile, sent once the next profile may begin. */
    @FunctionalInterface
    private interface Taken {

        void tell(AdminExchange exchange) throws IOException;
    }

    private Taken take(FlameQuery.Take ask, Instant begin) {
        try {
            Profile profile = profiler.take(ask.event(), ask.length());
            FlameGraph graph = kept.add(id -> FlameGraph.of(id, begin, ask.length(), profile));
            return exchange -> send(exchange, html.graph(graph, kept.all()));
        } catch (Profiler.BusyException e) {
            return exchange -> busy(exchange, FlameQuery.LONGEST_SECONDS);
        } catch (IOException | RuntimeException e) {
            LOG.warn("no profile could be taken", e);
            return exchange -> exchange.send(503, TEXT, "No profile could be taken: " + e.getMessage() + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return exchange -> exchange.send(503, TEXT, "The gateway is stopping.\n");
        }
    }

    private static void busy(AdminExchange exchange, long seconds) throws IOException {
        exchange.set("Retry-After", Long.toString(seconds));
        exchange.send(
                429,
                TEXT,
                "Another profile of this process is in progress; only one at a time. Retry in " + seconds + " s.\n");
    }

    private void again(AdminExchange exchange, int id) throws IOException {
        FlameGraph graph = kept.get(id).orElse(null);
        if (graph == null) {
            gone(exchange, id);
        } else {
            send(exchange, html.graph(graph, kept.all()));
        }
    }

    private void compare(AdminExchange exchange, FlameQuery.Compare two) throws IOException {
        FlameGraph before = kept.get(two.before()).orElse(null);
        FlameGraph now = kept.get(two.now()).orElse(null);
        if (before == null || now == null) {
            gone(exchange, before == null ? two.before() : two.now());
        } else if (before.event() != now.event()) {
            String events = before.event().label() + " and " + now.event().label();
            exchange.send(400, TEXT, "compare: graphs of " + events + " (expected: two of one event)\n");
        } else {
            send(exchange, html.difference(before, now, kept.all()));
        }
    }

    private void gone(AdminExchange exchange, int id) throws IOException {
        String present = kept.all().stream().map(g -> Integer.toString(g.id())).collect(Collectors.joining(" "));
        exchange.send(
                404,
                TEXT,
                "graph " + id + " (expected: one of the last " + GraphHistory.MAX + " of this process: "
                        + (present.isEmpty() ? "there is none yet" : present) + ")\n");
    }

    private static void send(AdminExchange exchange, String page) throws IOException {
        // The page is self-contained, so the policy blocks all other sources.
        exchange.set(
                "Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'");
        exchange.send(200, "text/html; charset=utf-8", page);
    }
}
