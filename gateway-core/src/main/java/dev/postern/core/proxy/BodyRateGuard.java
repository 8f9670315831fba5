package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Guard that periodically checks the rate of one exchange's body; this base class never does. On the loop of the exchange. */
class BodyRateGuard {

    static final BodyRateGuard NONE = new BodyRateGuard();

    private static final String GRPC = "application/grpc";

    private BodyRateGuard() {}

    /**
     * Returns a guard for the rest of the exchange's body.
     *
     * @param multiplexed whether the upstream gets the exchange as a stream of an HTTP/2 connection
     * @param tooSlow runs once
     */
    static BodyRateGuard of(Exchange exchange, boolean multiplexed, Runnable tooSlow) {
        MinBodyRate min = Route.of(exchange).minBodyRate();
        return min.bytesPerSecond() > 0 && counts(exchange.request(), multiplexed)
                ? new Timed(exchange, min, tooSlow)
                : NONE;
    }

    /**
     * Returns whether the rate of the body counts. Tunnels may be silent, though not the body before an upgrade of HTTP/1.1, and so may gRPC
     * calls between messages; but a content type alone makes no gRPC call: both sides must be HTTP/2.
     */
    private static boolean counts(RequestHead request, boolean multiplexed) {
        String type = request.value(FieldName.CONTENT_TYPE);
        boolean grpc = multiplexed
                && request.majorVersion() == 2
                && type != null
                && type.toLowerCase(Locale.ROOT).startsWith(GRPC);
        boolean tunnel = request.mayTunnel() && request.majorVersion() > 1;
        return !tunnel && !grpc;
    }

    /** Counts received bytes. */
    void received(int n) {}

    /** Signals that the gateway stopped reading from the client. */
    void shut() {}

    /** Signals that the gateway reads from the client again. */
    void open() {}

    void stop() {}

    /** Guard with a timer. */
    private static final class Timed extends BodyRateGuard {

        private final Exchange exchange;
        private final BodyRateTracker tracker;
        private final Runnable tooSlow;
        private ScheduledFuture<?> timer;

        Timed(Exchange exchange, MinBodyRate min, Runnable tooSlow) {
            this.exchange = exchange;
            this.tracker = new BodyRateTracker(min, exchange.loop().ticker());
            this.tooSlow = tooSlow;
            this.timer = exchange.loop().schedule(this::check, tracker.remainingNanos(), TimeUnit.NANOSECONDS);
        }

        private void check() {
            if (!exchange.body().sendable()) {
                tracker.restart();
            }
            if (tracker.tooSlow()) {
                tooSlow.run();
            } else {
                timer = exchange.loop().schedule(this::check, tracker.remainingNanos(), TimeUnit.NANOSECONDS);
            }
        }

        @Override
        void received(int n) {
            tracker.received(n);
        }

        @Override
        void shut() {
            tracker.shut();
        }

        @Override
        void open() {
            tracker.open();
        }

        @Override
        void stop() {
            timer.cancel(false);
        }
    }
}
