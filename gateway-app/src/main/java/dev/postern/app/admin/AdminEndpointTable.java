package dev.postern.app.admin;

import java.util.List;
import java.util.Map;

/**
 * Table of the endpoints of the admin address.
 *
 * @param probes read by load balancers and orchestrators
 * @param shown endpoints by path, such as {@code /context}
 * @param changes changes by method and first word of the path, such as {@code DELETE /keys}
 */
public record AdminEndpointTable(Probes probes, Map<String, AdminEndpoint> shown, Map<String, Change> changes) {

    /** Change that an operator with the admin token may request; called by an admin thread. */
    @FunctionalInterface
    public interface Change {

        /**
         * @param words the rest of the path, decoded
         * @param body of the request, empty for none
         */
        Changed apply(List<String> words, String body);
    }

    /** Result of a change: a status and the JSON body of the response. */
    public record Changed(int status, Object body) {}
}
