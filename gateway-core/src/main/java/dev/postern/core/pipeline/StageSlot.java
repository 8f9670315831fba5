package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import java.util.function.Function;

/**
 * Slot of a stage that a reload replaces. Each exchange runs through the stage that its configuration has, also when the exchange is
 * suspended there while another configuration comes into force.
 */
public final class StageSlot extends ExchangeStage {

    private final Function<Exchange, ExchangeStage> stages;
    private final ExchangeStage exit;

    /** @param stages returns the stage for an exchange, one that was {@linkplain #adopt adopted} */
    public StageSlot(StageName name, Function<Exchange, ExchangeStage> stages) {
        super(name);
        this.stages = stages;
        this.exit = new ExchangeStage(name) {
            @Override
            protected void onExchange(Exchange exchange) {
                StageSlot.this.skip(exchange);
            }
        };
    }

    /** Makes a stage one of this slot: it passes exchanges on to the stage behind the slot. */
    public <T extends ExchangeStage> T adopt(T stage) {
        stage.followedBy(exit);
        return stage;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        stages.apply(exchange).take(exchange);
    }
}
