package dev.postern.load.experiment.queue;

import dev.postern.load.origin.Origin;
import java.util.List;

/**
 * Front of an origin: the ports that clients use, in turn.
 *
 * @param admin addresses of the gateways for operators; empty for nginx
 */
record Front(List<Integer> ports, List<Integer> admin, Origin origin) {}
