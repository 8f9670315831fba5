package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What stands at each stage of {@link ServerPipeline}; all are shared by all connections, and stand in no other pipeline. A stage that nobody asked for is null.
 *
 * @param log told of every exchange that ended
 * @param trace decides whose spans are kept
 * @param matched stages of users behind <i>match</i>
 * @param identify token decoding
 * @param verify token verification
 * @param admit rate limits and rooms
 * @param admitted stages of users behind <i>admit</i>
 * @param spend the spend ledger
 * @param forward the last stage
 */
public record Stages(
        Exchange.EndListener log,
        @Nullable ExchangeStage trace,
        @Nullable ExchangeStage matched,
        @Nullable ExchangeStage identify,
        @Nullable ExchangeStage verify,
        @Nullable ExchangeStage admit,
        @Nullable ExchangeStage admitted,
        @Nullable ExchangeStage spend,
        ExchangeStage forward) {}
