package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * Stages of {@link ServerPipeline}; all are shared by all connections, and belong to one pipeline only. A stage that is not configured is
 * null.
 *
 * @param log called for every exchange that ended
 * @param question takes questions of other proxies
 * @param trace decides which exchanges are traced
 * @param matched stages of extensions after <i>match</i>
 * @param identify token decoding
 * @param verify token verification
 * @param admit rate limits and rooms
 * @param admitted stages of extensions after <i>admit</i>
 * @param spend the spend ledger
 * @param forward the last stage
 */
public record Stages(
        Exchange.EndListener log,
        @Nullable ExchangeStage question,
        @Nullable ExchangeStage trace,
        @Nullable ExchangeStage matched,
        @Nullable ExchangeStage identify,
        @Nullable ExchangeStage verify,
        @Nullable ExchangeStage admit,
        @Nullable ExchangeStage admitted,
        @Nullable ExchangeStage spend,
        ExchangeStage forward) {}
