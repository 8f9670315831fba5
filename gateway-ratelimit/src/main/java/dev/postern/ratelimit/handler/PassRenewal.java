package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Pass renewal: reports periodically to the stores which passes are in use, so that requests of admitted sessions need no call to the
 * store. An open stream, download or tunnel counts as use. Runs on one event loop.
 */
public final class PassRenewal implements AutoCloseable {

    private static final long PERIOD_MILLIS = 250;

    private final EventLoop loop;
    private final AdmissionContext context;
    private final Supplier<RateLimiters> limiters;
    private final java.util.concurrent.Future<?> timer;

    /** @param limiters returns the limiters in effect: a pass is renewed by their rules, not by the rules under which it was issued */
    public PassRenewal(EventLoop loop, AdmissionContext context, Supplier<RateLimiters> limiters) {
        this.loop = loop;
        this.context = context;
        this.limiters = limiters;
        this.timer = loop.scheduleAtFixedRate(this::run, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    void run() {
        context.cache().sweep(context.now(), this::renew);
    }

    private void renew(CachedPass pass) {
        RateLimiter limiter = limiters.get().ofRoom(pass.room().id());
        if (limiter != null) {
            RoomKey room = limiter.room(pass.room().id());
            AdmissionRequest request = AdmissionRequest.of(Intent.RENEW, pass.session(), pass.claim());
            long askedAt = context.now();
            limiter.store()
                    .decide(
                            room,
                            request,
                            loop,
                            decision -> context.cache().note(room, pass.session(), decision, askedAt));
        }
    }

    @Override
    public void close() {
        timer.cancel(false);
    }
}
