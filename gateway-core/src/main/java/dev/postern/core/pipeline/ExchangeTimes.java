package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Trace;
import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Refusal;
import dev.postern.core.metrics.HistogramBounds;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.route.Route;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Times of whole exchanges by route and upstream, and times to the first byte by upstream: {@link Meters#EXCHANGE_DURATION} and {@link
 * Meters#UPSTREAM_FIRST_BYTE}. Thread-safe.
 *
 * <p>A tunnel or a stream counts with the time until it opened, since its length says nothing about the speed of anything.
 */
final class ExchangeTimes implements Exchange.EndListener {

    /** Most pairs of a route and an upstream with a histogram of their own; one more has all others. */
    static final int PAIRS = 256;

    /** Most upstreams with histograms of their own. */
    static final int UPSTREAMS = 100;

    private static final String NONE = "none";
    private static final List<String> RESPONSES = List.of("ok", "4xx", "5xx", NONE);
    private static final int NO_RESPONSE = RESPONSES.indexOf(NONE);

    private final StripedHistogram durations =
            StripedHistogram.growing(Meters.EXCHANGE_DURATION, HistogramBounds.EXCHANGES, PAIRS + 1);
    private final StripedHistogram firstBytes = StripedHistogram.growing(
            Meters.UPSTREAM_FIRST_BYTE, HistogramBounds.EXCHANGES, (UPSTREAMS + 1) * RESPONSES.size());
    private final Map<String, Map<String, Integer>> pairs = new ConcurrentHashMap<>();
    private final Map<String, Integer> upstreams = new ConcurrentHashMap<>();

    /** Returns the histograms, for export. */
    List<StripedHistogram> histograms() {
        return List.of(durations, firstBytes);
    }

    @Override
    public void ended(Exchange exchange) {
        Outcome outcome = exchange.outcome();
        @Nullable Trace trace = Trace.of(exchange);
        @Nullable Route route = Route.orNull(exchange);
        @Nullable String upstream = outcome.upstream();
        int pair = pair(route == null ? NONE : route.name(), upstream == null ? NONE : upstream);
        durations.on(exchange.loop()).record(pair, duration(exchange), trace);
        if (upstream == null) {
            return;
        }
        long nanos = outcome.responded() ? outcome.firstByteNanos(0) : waited(exchange);
        if (nanos >= 0) {
            firstBytes.on(exchange.loop()).record(upstream(upstream) + response(outcome), nanos, trace);
        }
    }

    /** Returns the nanoseconds of the exchange without those that a tunnel or a stream was open. */
    private static long duration(Exchange exchange) {
        Timeline timeline = exchange.timeline();
        if (exchange.outcome().openEnded()) {
            return timeline.total() - timeline.nanos(StageName.SEND);
        }
        return exchange.outcome().cut() ? exchange.now() - timeline.startNanos() : timeline.total();
    }

    /** Returns how long an upstream was waited for in vain, or -1 if it is not what kept the exchange from a response. */
    private static long waited(Exchange exchange) {
        @Nullable Refusal refusal = exchange.outcome().refusal();
        boolean waited = refusal == null || refusal.blame() == FaultDomain.UPSTREAM;
        return waited ? exchange.outcome().firstByteNanos(exchange.now()) : -1;
    }

    private static int response(Outcome outcome) {
        if (!outcome.responded() || outcome.refusal() != null) {
            return NO_RESPONSE;
        }
        return Math.min(Math.max(0, outcome.status() / 100 - 3), 2); // above 599: as 5xx (RFC 9110 section 15)
    }

    private int pair(String route, String upstream) {
        @Nullable Map<String, Integer> of = pairs.get(route);
        @Nullable Integer known = of == null ? null : of.get(upstream);
        return known != null
                ? known
                : pairs.computeIfAbsent(route, name -> new ConcurrentHashMap<>())
                        .computeIfAbsent(upstream, name -> durations.subject(List.of(), route, upstream));
    }

    private int upstream(String name) {
        @Nullable Integer known = upstreams.get(name);
        return known != null ? known : upstreams.computeIfAbsent(name, one -> firstBytes.subject(RESPONSES, one));
    }
}
