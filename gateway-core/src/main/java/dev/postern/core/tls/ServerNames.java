package dev.postern.core.tls;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Server names in the hellos of a listener's running handshakes, for the key manager, which the TLS engine calls with itself alone.
 * Thread-safe.
 */
final class ServerNames {

    /** Keyed by the session that an engine has until its handshake ends; Netty may wrap the engine, but not the session. */
    private final Map<Handshake, String> names = new ConcurrentHashMap<>();

    /** Handshake of one engine. */
    record Handshake(SSLSession session) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Handshake that && session == that.session; // sessions without an id are equal
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(session);
        }
    }

    /** Remembers the name, as the client sent it, until {@link #forget}. */
    Handshake put(SSLEngine engine, String name) {
        Handshake handshake = new Handshake(engine.getSession());
        names.put(handshake, name);
        return handshake;
    }

    /** Returns the name in the hello; null for none. */
    @Nullable
    String of(SSLEngine engine) {
        return of(new Handshake(engine.getSession()));
    }

    @Nullable
    String of(Handshake running) {
        return names.get(running);
    }

    void forget(Handshake ended) {
        names.remove(ended);
    }
}
