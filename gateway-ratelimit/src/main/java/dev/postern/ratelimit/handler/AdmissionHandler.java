package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.store.FairQueue.Bypass;
import dev.postern.ratelimit.store.FairQueue.Crawler;
import dev.postern.ratelimit.waiting.LimitFields;
import org.jspecify.annotations.Nullable;

/** The stage <i>admit</i>: passes an exchange on, keeps it shortly, or tells it to wait. */
public final class AdmissionHandler extends ExchangeHandler {

    private final Tools tools;
    private final Crawlers crawlers;

    public AdmissionHandler(Tools tools, Crawlers crawlers) {
        super(Stage.ADMIT);
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
        Gate gate = Gates.of(exchange).find(name);
        if (gate == null) {
            throw new IllegalStateException("rate-limit: " + name + " (expected: one of rate-limits)");
        }
        if (!gate.hasRoom() || Intents.passingPreflight(exchange)) {
            limit(exchange, gate);
        } else if (bypasses(exchange, gate.queue().bypass())) {
            admit(exchange);
        } else {
            queue(exchange, gate);
        }
    }

    private void queue(Exchange exchange, Gate gate) {
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

    private void visit(Exchange exchange, Gate gate) {
        gate.measure(exchange);
        new RoomVisit(exchange, gate, tools, () -> admit(exchange)).start();
    }

    private void limit(Exchange exchange, Gate gate) {
        String key = gate.limit().name() + '~' + tools.naming().key(gate.limit(), exchange);
        gate.store().limit(key, gate.rate(), exchange.loop(), decision -> {
            gate.count(decision.kind());
            if (decision.kind().passes()) {
                admit(exchange);
            } else {
                exchange.timeline().mark(Stage.ADMIT);
                exchange.refuse(Refusal.RATE_LIMITED, LimitFields.of(gate.limit(), decision.retry()));
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
