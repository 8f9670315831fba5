package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.TimerScrape;
import dev.postern.load.worker.Latencies;

/**
 * Turn of requests with a token each through the whole gateway.
 *
 * @param timer the gateway's own times of the check
 * @param outside the requests as the client sees them
 * @param segments that the gateway sent to memcached
 */
record GatewayTurn(TimerScrape timer, Latencies outside, long segments) {
    double segmentsEach() {
        return (double) segments / outside.calls();
    }

    /** Returns how many checks the timer counted, in percent of the requests. */
    double timedPercent() {
        return 100.0 * timer.count() / outside.calls();
    }

    double failedPercent() {
        return 100.0 * outside.failed() / outside.calls();
    }
}
