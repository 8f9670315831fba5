package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.store.FairQueueSettings.Bypass;
import dev.postern.ratelimit.store.FairQueueSettings.Crawler;
import dev.postern.ratelimit.waiting.RateLimitHeaders;
import org.jspecify.annotations.Nullable;

/** The stage <i>admit</i>: passes an exchange on, keeps it shortly, or tells it to wait. */
public final class AdmissionStage extends ExchangeStage {

    private final AdmissionContext tools;
    private final Crawlers crawlers;

    public AdmissionStage(AdmissionContext tools, Crawlers crawlers) {
        super(StageName.ADMIT);
        this.tools = tools;
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
        RateLimiter gate = RateLimiters.of(exchange).find(name);
        if (gate == null) {
            throw new IllegalStateException("rate-limit: " + name + " (expected: one of rate-limits)");
        }
        if (!gate.hasRoom() || TicketEligibility.passingPreflight(exchange)) {
            limit(exchange, gate);
        } else if (bypasses(exchange, gate.queue().bypass())) {
            admit(exchange);
        } else {
            queue(exchange, gate);
        }
    }

    private void queue(Exchange exchange, RateLimiter gate) {
        Crawler named = crawler(exchange, gate.queue().bypass());
        if (named == null) {
            visit(exchange, gate);
        } else {
            crawlers.ask(exchange, named, genuine -> {
                if (genuine) {
                    admit(exchange);
                } else {
                    visit(exchange, gate);
                }
            });
        }
    }

    private void visit(Exchange exchange, RateLimiter gate) {
        gate.measure(exchange);
        new RoomAdmission(exchange, gate, tools, () -> admit(exchange)).start();
    }

    private void limit(Exchange exchange, RateLimiter gate) {
        String key = gate.limit().name() + '~' + tools.naming().key(gate.limit(), exchange);
        gate.store().limit(key, gate.rate(), exchange.loop(), decision -> {
            gate.count(decision.kind());
            if (decision.kind().passes()) {
                admit(exchange);
            } else {
                exchange.timeline().mark(StageName.ADMIT);
                exchange.refuse(Refusal.RATE_LIMITED, RateLimitHeaders.of(gate.limit(), decision.retry()));
            }
        });
    }

    private void admit(Exchange exchange) {
        forgetTicket(exchange);
        proceed(exchange);
    }

    /** On all routes: browsers send the cookie to the whole host. */
    private void forgetTicket(Exchange exchange) {
        if (exchange.client().listener().reverse()) {
            tools.cookies().strip(exchange.request());
        }
    }

    private static @Nullable Crawler crawler(Exchange exchange, Bypass bypass) {
        return bypass.crawlers().isEmpty()
                ? null
                : bypass.crawler(exchange.request().value(FieldName.USER_AGENT));
    }

    private static boolean bypasses(Exchange exchange, Bypass bypass) {
        return bypass.addresses().contains(exchange.clientAddress())
                || !bypass.paths().isEmpty() && bypass.covers(exchange.request());
    }
}
