package dev.postern.app.flame;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminExchange;
import dev.postern.app.profile.ProfileEvent;
import dev.postern.app.profile.Profiler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Page {@code /flamegraph}: takes a profile of this process, one at a time, and shows it. Thread-safe. */
public final class FlamePage implements AdminEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(FlamePage.class);
    private static final String TEXT = "text/plain";

    private final Profiler profiler;
    private final InstantSource clock;
    private final Semaphore free = new Semaphore(1);
    private volatile Instant end = Instant.EPOCH;

    /** @param profiler called by one thread at a time */
    public FlamePage(Profiler profiler, InstantSource clock) {
        this.profiler = profiler;
        this.clock = clock;
    }

    @Override
    public void show(AdminExchange exchange) {
        FlameQuery query;
        try {
            query = FlameQuery.of(exchange::parameter);
        } catch (IllegalArgumentException e) {
            exchange.send(400, TEXT, e.getMessage() + "\n");
            return;
        }
        if (free.tryAcquire()) {
            take(query).accept(exchange);
        } else {
            busy(exchange, Math.max(1, Duration.between(clock.instant(), end).toSeconds() + 1));
        }
    }

    /**
     * Takes a profile and returns its response. The next profile may begin before the response is sent, so that a client can request it as
     * soon as it has the response.
     */
    private Consumer<AdminExchange> take(FlameQuery query) {
        Instant begin = clock.instant();
        end = begin.plus(query.length());
        try {
            String page = FlameHtml.of(profiler.take(query.event(), query.length()), begin, query.length());
            return exchange -> send(exchange, page);
        } catch (Profiler.BusyException e) {
            return exchange -> busy(exchange, FlameQuery.MAX_SECONDS);
        } catch (IOException | RuntimeException e) {
            LOG.warn("no profile could be taken", e);
            return exchange -> exchange.send(503, TEXT, "No profile could be taken: " + e.getMessage() + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return exchange -> exchange.send(503, TEXT, "The gateway is stopping.\n");
        } finally {
            free.release();
        }
    }

    private static void busy(AdminExchange exchange, long seconds) {
        exchange.set("Retry-After", Long.toString(seconds));
        exchange.send(
                429,
                TEXT,
                "Another profile of this process is in progress; only one at a time. Retry in " + seconds + " s.\n");
    }

    private static void send(AdminExchange exchange, String page) {
        // The page is self-contained, so the policy blocks all other sources.
        exchange.set(
                "Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'");
        exchange.send(200, "text/html; charset=utf-8", page);
    }

    /** Query of a request to {@code /flamegraph}. */
    record FlameQuery(ProfileEvent event, Duration length) {

        static final int MAX_SECONDS = 60;

        /**
         * @param parameter returns the value of the named parameter, or the second text if there is none
         * @throws IllegalArgumentException with the value and the expected value
         */
        static FlameQuery of(BinaryOperator<String> parameter) {
            Duration length = length(parameter.apply("seconds", "10"));
            String event = parameter.apply("event", "cpu");
            return new FlameQuery(ProfileEvent.of(event).orElseThrow(() -> unknown(event)), length);
        }

        private static Duration length(String text) {
            int seconds = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
            if (seconds < 1 || seconds > MAX_SECONDS) {
                throw new IllegalArgumentException("seconds: " + text + " (expected: 1.." + MAX_SECONDS + ")");
            }
            return Duration.ofSeconds(seconds);
        }

        private static IllegalArgumentException unknown(String event) {
            String events = Arrays.stream(ProfileEvent.values())
                    .map(ProfileEvent::label)
                    .collect(Collectors.joining(" | "));
            return new IllegalArgumentException("event: " + event + " (expected: " + events + ")");
        }
    }
}
