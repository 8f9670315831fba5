package dev.postern.app.admin;

import java.util.List;
import java.util.Map;

/**
 * Table of the endpoints of the admin address.
 *
 * @param probes read by load balancers and orchestrators
 * @param pages pages for browsers by path; they contain no data, and need no token
 * @param shown endpoints by path, such as {@code /context}
 * @param started endpoints by path that need POST, although they only read: what starts work must not be started by a link or an image of
 *     another site
 * @param changes changes by method and first word of the path, such as {@code DELETE /keys}
 */
public record AdminEndpointTable(
        Probes probes,
        Map<String, AdminEndpoint> pages,
        Map<String, AdminEndpoint> shown,
        Map<String, AdminEndpoint> started,
        Map<String, Change> changes) {

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
