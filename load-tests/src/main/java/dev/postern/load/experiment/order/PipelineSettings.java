package dev.postern.load.experiment.order;

import java.time.Duration;

/**
 * Settings of the pipelined requests.
 *
 * @param delay of the slow origin
 * @param atOnce requests of the connection that are on their way
 * @param streams the same over HTTP/2
 * @param fast requests of a turn to the fast origin
 * @param tokens requests of a turn with tokens
 * @param warmUp turns with tokens before the first round
 * @param rounds that count
 */
record PipelineSettings(Duration delay, int atOnce, int streams, int fast, int tokens, int warmUp, int rounds) {
    /** Returns the number of tokens of each variant and protocol. */
    int allTokens() {
        return (warmUp + rounds) * tokens;
    }
}
