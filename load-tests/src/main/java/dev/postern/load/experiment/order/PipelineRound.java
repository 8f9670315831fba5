package dev.postern.load.experiment.order;

import dev.postern.load.worker.Pipelined;
import java.util.Map;

/**
 * Round of pipelined requests over one connection, through each variant of the gateway and through each peer.
 *
 * @param slow to a slow origin, by the name of the proxy
 * @param fast to a fast origin, by the variant's name
 * @param tokens with a token each, by the variant's name
 * @param cores that the gateway used during the requests with tokens, by the variant's name
 * @param streams requests with a token each per second over one HTTP/2 connection, by the name of a variant with the default depth
 */
record PipelineRound(
        Map<String, Pipelined> slow,
        Map<String, Pipelined> fast,
        Map<String, Pipelined> tokens,
        Map<String, Double> cores,
        Map<String, Double> streams) {}
