package dev.postern.auth.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;

/** Base of the stages that judge tokens: rejects an exchange, or in report-only mode notes the rejection and lets the exchange proceed. */
abstract class AuthStage extends ExchangeStage {

    private final StageName stage;
    private final Challenger challenger;
    private final Enforcement enforcement;

    AuthStage(StageName stage, Challenger challenger, Enforcement enforcement) {
        super(stage);
        this.stage = stage;
        this.challenger = challenger;
        this.enforcement = enforcement;
    }

    final Challenger challenger() {
        return challenger;
    }

    final Enforcement enforcement() {
        return enforcement;
    }

    /**
     * Rejects an exchange: with the challenges of its route where a token would help, else with the refusal alone.
     *
     * @param reason for log and meters, never for the client; empty where the refusal says it all
     */
    final void reject(Exchange exchange, Refusal refusal, String reason) {
        if (enforcement.overlooks(exchange, refusal, reason)) {
            proceed(exchange);
        } else if (refusal == Refusal.TOKEN_REQUIRED) {
            exchange.timeline().mark(stage);
            challenger.challenge(exchange, reason);
        } else {
            if (!reason.isEmpty()) {
                exchange.outcome().reason(reason);
            }
            refuse(exchange, refusal);
        }
    }
}
