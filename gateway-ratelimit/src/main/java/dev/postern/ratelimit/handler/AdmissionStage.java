package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.handler.Bypass.Crawler;
import dev.postern.ratelimit.waiting.RateLimitHeaders;

/** Stage <i>admit</i>: passes an exchange on, holds it for a short time, or replies with the waiting page or a refusal. */
public final class AdmissionStage extends ExchangeStage {

    private final AdmissionContext context;
    private final Crawlers crawlers;

    public AdmissionStage(AdmissionContext context, Crawlers crawlers) {
        super(StageName.ADMIT);
        this.context = context;
        this.crawlers = crawlers;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        String name = Route.of(exchange).rateLimit();
        if (name == null) {
            forgetTicket(exchange);
            skip(exchange);
            return;
        }
        RateLimiter limiter = RateLimiters.of(exchange).find(name);
        if (limiter == null) {
            throw new IllegalStateException("rate-limit: " + name + " (expected: one of rate-limits)");
        }
        if (!limiter.hasRoom() || Route.of(exchange).preflight().passes(exchange.request())) {
            limit(exchange, limiter);
        } else if (limiter.bypass().covers(exchange)) {
            admit(exchange);
        } else {
            queue(exchange, limiter);
        }
    }

    private void queue(Exchange exchange, RateLimiter limiter) {
        Crawler named = limiter.bypass().crawler(exchange);
        if (named == null) {
            startAdmission(exchange, limiter);
        } else {
            crawlers.ask(exchange, named, genuine -> {
                if (genuine) {
                    admit(exchange);
                } else {
                    startAdmission(exchange, limiter);
                }
            });
        }
    }

    private void startAdmission(Exchange exchange, RateLimiter limiter) {
        limiter.measure(exchange);
        new RoomAdmission(exchange, limiter, context, () -> admit(exchange)).start();
    }

    private void limit(Exchange exchange, RateLimiter limiter) {
        String key = limiter.rule().name() + '~' + context.extractor().key(limiter.rule(), exchange);
        limiter.store().limit(key, limiter.rate(), exchange.loop(), decision -> {
            limiter.count(decision.kind());
            if (decision.kind().passes()) {
                admit(exchange);
            } else {
                exchange.timeline().mark(StageName.ADMIT);
                exchange.refuse(Refusal.RATE_LIMITED, RateLimitHeaders.of(limiter.rule(), decision.retry()));
            }
        });
    }

    private void admit(Exchange exchange) {
        forgetTicket(exchange);
        proceed(exchange);
    }

    /** Removes the ticket cookie from the request; on all routes, since browsers send the cookie to the whole host. */
    private void forgetTicket(Exchange exchange) {
        if (exchange.client().listener().reverse()) {
            context.cookies().strip(exchange.request());
        }
    }
}
