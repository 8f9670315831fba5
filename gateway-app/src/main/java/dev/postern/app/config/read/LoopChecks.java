package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.core.config.HostPort;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import java.net.InetSocketAddress;
import java.util.List;

/** Checks that no upstream has an address of this gateway as an endpoint: its requests would come back, or reach the admin address. */
final class LoopChecks {

    private final GatewayConfig config;
    private final Findings findings;

    LoopChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        for (int i = 0; i < config.upstreams().size(); i++) {
            List<String> endpoints = config.upstreams().get(i).endpoints();
            for (int k = 0; k < endpoints.size(); k++) {
                String path = "upstreams/" + i + "/endpoints/" + k;
                if (!findings.isStandIn(path)
                        && EndpointSpec.of(endpoints.get(k)).address() instanceof InetSocketAddress address) {
                    endpoint(path, endpoints.get(k), new HostPort(address.getHostString(), address.getPort()));
                }
            }
        }
    }

    private void endpoint(String path, String text, HostPort endpoint) {
        for (int i = 0; i < config.listeners().size(); i++) {
            String own = "listeners/" + i + "/address";
            if (!findings.isStandIn(own)
                    && reaches(endpoint, config.listeners().get(i).address())) {
                findings.problem(
                        path,
                        text + " (expected: a server behind this gateway; this is " + findings.location(own)
                                + ", so that requests would come back)");
                return;
            }
        }
        if (reaches(endpoint, config.admin().address())) {
            findings.warning(
                    path, text + ": this is admin.address; clients of the route reach what is meant for operators");
        }
    }

    /** Returns whether a connection to the endpoint reaches an address of this gateway, as far as the texts show. */
    static boolean reaches(HostPort endpoint, HostPort own) {
        if (own.port() == 0 || endpoint.port() != own.port()) {
            return false;
        }
        if (own.host().equalsIgnoreCase(endpoint.host())) {
            return true;
        }
        boolean here = endpoint.loopback() || endpoint.wildcard();
        if (own.wildcard() || endpoint.wildcard()) {
            // A socket for all IPv4 addresses has none of IPv6.
            return here
                    && (own.wildcard() || own.loopback())
                    && !(own.host().equals("0.0.0.0") && endpoint.host().indexOf(':') >= 0);
        }
        return own.loopback() && here && (isLocalhost(own) || isLocalhost(endpoint));
    }

    private static boolean isLocalhost(HostPort address) {
        return address.host().equalsIgnoreCase("localhost");
    }
}
