package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.MetricsPage;

/**
 * Reuse of upstream connections, by the meters of a gateway.
 *
 * @param requests sent to the upstream
 * @param reused requests over a connection that had served before
 * @param failed connections that could not be opened
 */
record Reuse(double requests, double reused, double failed) {
    private static final String METER = "postern_upstream_";

    static Reuse read(int adminPort) {
        return of(MetricsPage.read(adminPort));
    }

    static Reuse of(MetricsPage page) {
        return new Reuse(
                page.sum(METER + "requests_total"),
                page.sum(METER + "reuse_total"),
                page.sum(METER + "connects_total", "result=\"failed\""));
    }

    Reuse minus(Reuse earlier) {
        return new Reuse(requests - earlier.requests, reused - earlier.reused, failed - earlier.failed);
    }

    /** Returns the share of requests over a reused connection; NaN if there was no request. */
    double share() {
        return reused / requests;
    }
}
