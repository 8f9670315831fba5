package dev.postern.load.experiment.order;

import dev.postern.load.measure.Known;
import dev.postern.load.worker.FlowWorker;
import java.util.Map;

/**
 * Step of a cycle: the same load over a number of open tunnels or connections, through the gateway and through its peers.
 *
 * @param turns by the proxy's name
 * @param state of the gateway after all turns
 */
record Step(int open, Map<String, Turn> turns, State state) {
    /** Name of the gateway among the proxies. */
    static final String GATEWAY = FlowWorker.GATEWAY;

    Step {
        turns = Map.copyOf(turns);
    }

    Turn of(String proxy) {
        return Known.in(turns, "proxy", proxy);
    }
}
