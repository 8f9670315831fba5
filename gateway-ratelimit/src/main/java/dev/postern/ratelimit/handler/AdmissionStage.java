package dev.postern.ratelimit.handler;

import dev.postern.core.config.Rate;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.handler.Bypass.Crawler;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.waiting.RateLimitHeaders;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;
import org.jspecify.annotations.Nullable;

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
            withinSession(exchange, null, () -> {
                toUpstream(exchange);
                skip(exchange);
            });
            return;
        }
        RateLimiter limiter = RateLimiters.of(exchange).find(name);
        if (limiter == null) {
            throw new IllegalStateException("rate-limit: " + name + " (expected: one of rate-limits)");
        }
        if (Route.of(exchange).preflight().passes(exchange.request())) {
            limit(exchange, limiter, context.extractor().preflightKey(limiter.rule(), exchange));
        } else if (limiter.hasRoom()) {
            admitOrQueue(exchange, limiter);
        } else if (!refusedWithoutKey(exchange, limiter)) {
            withinSession(
                    exchange,
                    limiter,
                    () -> limit(exchange, limiter, context.extractor().key(limiter.rule(), exchange)));
        }
    }

    /**
     * Calls {@code onward} unless the exchange is beyond the budget of its session. Before the limit of the route: what a session sends
     * beyond its budget must not use up the budget of others.
     */
    private void withinSession(Exchange exchange, @Nullable RateLimiter limiter, Runnable onward) {
        SessionBudget budget = SessionBudget.of(exchange.credential(), limiter == null ? null : limiter.rule());
        if (budget == null) {
            onward.run();
            return;
        }
        RoomStore store = budget.shared() || limiter == null ? context.shared().get() : limiter.store();
        store.limit(budget.key(), budget.gcra(), exchange.loop(), decision -> {
            if (decision.kind().passes()) {
                onward.run();
            } else {
                exchange.timeline().mark(StageName.ADMIT);
                exchange.outcome().reason(RateLimiter.SESSION_RATE);
                exchange.refuse(
                        Refusal.RATE_LIMITED, RateLimitHeaders.of(budget.name(), budget.rate(), decision.retry()));
            }
        });
    }

    private void admitOrQueue(Exchange exchange, RateLimiter limiter) {
        switch (limiter.bypass().cover(exchange)) {
            case ALL -> admit(exchange);
            case NONE -> withinSession(exchange, limiter, () -> queue(exchange, limiter));
            case SOME -> {
                exchange.timeline().mark(StageName.ADMIT);
                exchange.outcome().reason("readings");
                exchange.refuse(Refusal.REQUEST_MALFORMED);
            }
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
        if (refusedWithoutKey(exchange, limiter)) {
            return;
        }
        limiter.measure(exchange);
        new RoomAdmission(exchange, limiter, context, () -> admit(exchange)).start();
    }

    private static boolean refusedWithoutKey(Exchange exchange, RateLimiter limiter) {
        if (!limiter.rule().refuses(exchange.request())) {
            return false;
        }
        exchange.timeline().mark(StageName.ADMIT);
        exchange.refuse(Refusal.RATE_KEY_MISSING);
        return true;
    }

    private void limit(Exchange exchange, RateLimiter limiter, String key) {
        Gcra rate = limiter.rate();
        if (rate == null) {
            admit(exchange);
            return;
        }
        String counted = limiter.rule().name() + '~' + key;
        limiter.store().limit(counted, rate, exchange.loop(), decision -> {
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
        toUpstream(exchange);
        proceed(exchange);
    }

    /**
     * Removes the ticket cookie from the request, and marks the response to a waiting page; on all routes, since browsers send the cookie to
     * the whole host.
     */
    private void toUpstream(Exchange exchange) {
        if (exchange.client().listener().reverse()) {
            context.cookies().strip(exchange.request());
            markSite(exchange);
        }
    }

    /** Marks the response to a waiting page that asks for its own address with HEAD, see room.html; on all routes, since a room may be removed. */
    private static void markSite(Exchange exchange) {
        if (exchange.request().method().equals(Method.HEAD)
                && RequestPurpose.of(exchange.request()) == RequestPurpose.PREFETCH) {
            exchange.whenUpstreamResponds(WaitingRoomResponse::markSite);
        }
    }

    /**
     * Budget of one session that a token bought: all requests with its cookie count by its id, from whatever address, so that one token does not
     * serve many clients.
     *
     * @param key key in the store; begins with a character that no name of a limit has
     * @param name name of the limit that clients see
     * @param shared whether the budget is that of all routes of the instance, else that of the routes of one limit
     */
    record SessionBudget(String key, String name, Rate rate, Gcra gcra, boolean shared) {

        private static final String PREFIX = "~session~";

        /** Name towards clients of the budget that no limit has. */
        private static final String SESSION = "session";

        /**
         * Returns the budget that applies to a request: {@code privacy-pass.session.rate} or else that of the route's limit; null for none.
         *
         * @param rule limit of the route, or null
         */
        static @Nullable SessionBudget of(@Nullable Credential credential, @Nullable RateLimitRule rule) {
            Credential.Session session = credential == null ? null : credential.session();
            if (credential == null || session == null) {
                return null;
            }
            Rate configured = session.rate();
            if (configured != null) {
                Gcra gcra = configured.gcra();
                return gcra == null
                        ? null
                        : new SessionBudget(PREFIX + credential.hex(), SESSION, configured, gcra, true);
            }
            // All requests of a session are of one host, so that the rate of the host is not more than the one of the
            // session.
            if (rule == null || rule.per().kind() == RateKey.Kind.HOST) {
                return null;
            }
            String key = PREFIX + rule.name() + '~' + credential.hex();
            FairQueueSettings room = rule.fairQueue();
            if (room == null) {
                Rate rate = rule.rate();
                Gcra gcra = rule.gcra();
                return rate == null || gcra == null ? null : new SessionBudget(key, rule.name(), rate, gcra, false);
            }
            Gcra perSession = room.perSessionRate().gcra();
            return perSession == null
                    ? null
                    : new SessionBudget(key, rule.name(), room.perSessionRate(), perSession, false);
        }
    }
}
