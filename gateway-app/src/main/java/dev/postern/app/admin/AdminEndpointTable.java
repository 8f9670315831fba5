package dev.postern.app.admin;

import java.util.List;
import java.util.Map;

/**
 * What the admin address shows, and what may be changed there.
 *
 * @param probes for those who decide where traffic goes
 * @param shown pages by path, such as {@code /context}
 * @param changes what may be changed, by method and first word of the path, such as {@code DELETE /keys}
 */
public record AdminEndpointTable(Probes probes, Map<String, AdminEndpoint> shown, Map<String, Change> changes) {

    /** Something that an operator may change who has the token; called by an admin thread. */
    @FunctionalInterface
    public interface Change {

        /**
         * @param words the rest of the path, decoded
         * @param body of the request, empty for none
         */
        Changed apply(List<String> words, String body);
    }

    /** What became of it: a status and what to tell as JSON. */
    public record Changed(int status, Object told) {}
}
