package dev.postern.auth.verify;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Signature checks for each event loop and key, created on first use; each event loop keeps those used last. Called only on the event loop
 * in question.
 */
public final class EventLoopVerifiers {

    private static final int MAX_KEYS = 64;

    private final SignatureProvider provider;
    private final EventLoopLocal<Map<Bytes32, SignatureCheck>> checks = new EventLoopLocal<>(loop -> new LastUsed());

    public EventLoopVerifiers(SignatureProvider provider) {
        this.provider = provider;
    }

    SignatureCheck get(EventLoop loop, IssuerKey key) {
        Map<Bytes32, SignatureCheck> mine = checks.get(loop);
        SignatureCheck check = mine.get(key.id());
        if (check == null) {
            check = provider.check(key);
            mine.put(key.id(), check);
        }
        return check;
    }

    /** Returns the number of checks that all event loops keep, approximately. */
    int size() {
        return checks.all().stream().mapToInt(Map::size).sum();
    }

    private static final class LastUsed extends LinkedHashMap<Bytes32, SignatureCheck> {

        private static final long serialVersionUID = 1;

        LastUsed() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Bytes32, SignatureCheck> eldest) {
            return size() > MAX_KEYS;
        }
    }
}
