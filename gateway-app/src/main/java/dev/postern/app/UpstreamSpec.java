package dev.postern.app;

import dev.postern.core.tls.ClientTls;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.endpoint.UpstreamSettings;

/**
 * Specification of an upstream: what it is made of.
 *
 * @param connector with the upstream's TLS and protocol
 */
record UpstreamSpec(UpstreamSettings settings, Connector connector) {

    /** Returns whether an upstream of the other specification would behave the same. */
    boolean same(UpstreamSpec other) {
        return settings.equals(other.settings)
                && multiplexed() == other.multiplexed()
                && ClientTls.same(connector.tls(), other.connector.tls());
    }

    private boolean multiplexed() {
        return connector.multiplexing() != null;
    }
}
