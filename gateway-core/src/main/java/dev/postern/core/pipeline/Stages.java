package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What stands at each stage of {@link ServerPipeline}; all are shared by all connections, and stand in no other pipeline. A stage that nobody asked for is null.
 *
 * @param log told of every exchange that ended
 * @param trace decides whose spans are kept
 * @param identify token decoding
 * @param verify token verification
 * @param admit rate limits and rooms
 * @param spend the spend ledger
 * @param forward the end of the way
 * @param matched stages of users behind <i>match</i>
 * @param admitted stages of users behind <i>admit</i>
 */
public record Stages(
        Exchange.EndListener log,
        @Nullable ExchangeStage trace,
        @Nullable ExchangeStage identify,
        @Nullable ExchangeStage verify,
        @Nullable ExchangeStage admit,
        @Nullable ExchangeStage spend,
        ExchangeStage forward,
        @Nullable ExchangeStage matched,
        @Nullable ExchangeStage admitted) {

    /** Without traces and stages of users. */
    public Stages(
            Exchange.EndListener log,
            @Nullable ExchangeStage identify,
            @Nullable ExchangeStage verify,
            @Nullable ExchangeStage admit,
            @Nullable ExchangeStage spend,
            ExchangeStage forward) {
        this(log, null, identify, verify, admit, spend, forward, null, null);
    }
}
