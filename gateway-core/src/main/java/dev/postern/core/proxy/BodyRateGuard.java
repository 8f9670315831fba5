package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Looks from time to time whether the body of one exchange comes fast enough; this one never does. On the loop of the exchange. */
class BodyRateGuard {

    static final BodyRateGuard NONE = new BodyRateGuard();

    private static final String GRPC = "application/grpc";

    private BodyRateGuard() {}

    /**
     * Watches the body of that exchange, of which more is to come.
     *
     * @param tooSlow runs once
     */
    static BodyRateGuard of(Exchange exchange, Runnable tooSlow) {
        MinBodyRate least = Route.of(exchange).minBodyRate();
        return least.bytesPerSecond() > 0 && counts(exchange.request()) ? new Timed(exchange, least, tooSlow) : NONE;
    }

    /** Tunnels and calls of gRPC are conversations, in which silence says nothing. */
    private static boolean counts(RequestHead request) {
        String type = request.value(FieldName.CONTENT_TYPE);
        return !request.mayTunnel()
                && (type == null || !type.toLowerCase(Locale.ROOT).startsWith(GRPC));
    }

    /** So many bytes came. */
    void received(int n) {}

    /** The client may not send from now on. */
    void shut() {}

    /** The client may send again. */
    void open() {}

    void stop() {}

    /** With a timer. */
    private static final class Timed extends BodyRateGuard {

        private final Exchange exchange;
        private final BodyRateTracker tracker;
        private final Runnable tooSlow;
        private ScheduledFuture<?> timer;

        Timed(Exchange exchange, MinBodyRate least, Runnable tooSlow) {
            this.exchange = exchange;
            this.tracker = new BodyRateTracker(least, System::nanoTime);
            this.tooSlow = tooSlow;
            this.timer = exchange.loop().schedule(this::look, tracker.left(), TimeUnit.NANOSECONDS);
        }

        private void look() {
            if (!exchange.body().sendable()) {
                tracker.restart();
            }
            if (tracker.tooSlow()) {
                tooSlow.run();
            } else {
                timer = exchange.loop().schedule(this::look, tracker.left(), TimeUnit.NANOSECONDS);
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
