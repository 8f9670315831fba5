package dev.postern.core.redis;

import dev.postern.core.transport.ConnectErrorReason;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Fault of a connection to Redis or of one call.
 *
 * @param reason sentence for the operator, without addresses, credentials and text of the server
 * @param elsewhere whether a new connection, after a new look-up of the name, may lead to a server or login that works
 * @param reply whether the server sent it
 */
public record RedisFault(String reason, boolean elsewhere, boolean reply) {

    /** Fault of a call without a response before its deadline. */
    public static final RedisFault SILENCE = new RedisFault("no response in time", false, false);

    /** Fault of a server that is no master. */
    public static final RedisFault REPLICA = new RedisFault("a replica (expected: a master)", true, true);

    /** Words for a connection that ended before the first reply. */
    private static final String CLOSED =
            "the server closed the connection before a reply (expected: a Redis; if it uses TLS, a URI with rediss://)";

    private static final int MAX_CAUSES = 32;

    /**
     * Returns the fault of a failed call.
     *
     * @param cluster whether the gateway expects a Cluster
     */
    public static RedisFault of(Throwable failure, boolean cluster) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            // Messages of sockets and TLS are no replies: "SSL peer shut down incorrectly", "PKIX path building
            // failed".
            boolean local = cause instanceof IOException || cause instanceof GeneralSecurityException;
            RedisErrorReply reply = local ? null : RedisErrorReply.of(String.valueOf(cause.getMessage()));
            if (reply != null) {
                return new RedisFault(reply.sentence(cluster), reply.elsewhere(), true);
            }
        }
        // The first cause that says more than that the connection ended.
        String reason = causes.stream()
                .map(ConnectErrorReason::of)
                .filter(words -> !words.equals(ConnectErrorReason.LOST))
                .findFirst()
                .orElse(ConnectErrorReason.LOST);
        return new RedisFault(reason, false, false);
    }

    /** Returns the fault of a failed connection attempt. */
    public static RedisFault connecting(Throwable failure, boolean cluster) {
        RedisFault fault = of(failure, cluster);
        return fault.reason.equals(ConnectErrorReason.LOST) ? new RedisFault(CLOSED, false, false) : fault;
    }

    /** Returns the same fault with a text before its reason. */
    public RedisFault after(String text) {
        return new RedisFault(text + reason, elsewhere, reply);
    }

    /** Returns the failure and its causes, also those of several attempts, which are suppressed exceptions. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> found = new ArrayList<>(List.of(failure));
        Set<Throwable> known = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < found.size() && i < MAX_CAUSES; i++) {
            Throwable cause = found.get(i);
            if (cause.getCause() != null && known.add(cause.getCause())) {
                found.add(cause.getCause());
            }
            for (Throwable suppressed : cause.getSuppressed()) {
                if (known.add(suppressed)) {
                    found.add(suppressed);
                }
            }
        }
        return found;
    }
}
