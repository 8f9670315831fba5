package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.refusal.Refusal;
import dev.postern.ratelimit.store.FairQueue.Bypass;
import dev.postern.ratelimit.waiting.LimitFields;
import io.netty.channel.ChannelHandlerContext;

/** The stage <i>admit</i>: passes an exchange on, keeps it shortly, or tells it to wait. */
public final class AdmissionHandler extends ExchangeHandler {

    private final Gates gates;
    private final Tools tools;

    public AdmissionHandler(Gates gates, Tools tools) {
        super(Stage.ADMIT);
        this.gates = gates;
        this.tools = tools;
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        String name = exchange.route().rateLimit();
        if (name == null) {
            pass(ctx, exchange);
            return;
        }
        Gate gate = gates.find(name);
        if (gate == null) {
            throw new IllegalStateException("rate-limit: " + name + " (expected: one of rate-limits)");
        }
        if (!gate.hasRoom() || Intents.passingPreflight(exchange)) {
            limit(ctx, exchange, gate);
        } else if (bypasses(exchange, gate.queue().bypass())) {
            pass(ctx, exchange);
        } else {
            gate.measure(exchange);
            new RoomVisit(exchange, gate, tools, () -> pass(ctx, exchange)).start();
        }
    }

    private void limit(ChannelHandlerContext ctx, Exchange exchange, Gate gate) {
        String key = gate.limit().name() + '~' + tools.naming().key(gate.limit(), exchange);
        gate.store().limit(key, gate.rate(), exchange.loop(), decision -> {
            gate.count(decision.kind());
            if (decision.kind().passes()) {
                pass(ctx, exchange);
            } else {
                exchange.timeline().mark(Stage.ADMIT);
                exchange.refuse(Refusal.RATE_LIMITED, LimitFields.of(gate.limit(), decision.retry()));
            }
        });
    }

    private static boolean bypasses(Exchange exchange, Bypass bypass) {
        return bypass.addresses().contains(exchange.clientAddress())
                || !bypass.paths().isEmpty() && bypass.covers(exchange.request().path());
    }
}
