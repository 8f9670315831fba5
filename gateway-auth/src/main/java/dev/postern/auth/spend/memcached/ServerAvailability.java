package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.EpochState;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which servers are left out while others remember what they would: who has not answered for a second is, and who has answered for two
 * again is not. Never all of them. For one thread.
 */
final class ServerAvailability {

    static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long BACK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Logger LOG = LoggerFactory.getLogger(ServerAvailability.class);

    private final EpochState state;
    private final long[] since;
    private final boolean[] there;

    /** @param now of the ledger's thread; until then every server was there */
    ServerAvailability(EpochState state, int servers, long now) {
        this.state = state;
        this.since = new long[servers];
        Arrays.fill(since, now);
        this.there = new boolean[servers];
        Arrays.fill(there, true);
    }

    /** @param name for the log */
    void look(int server, String name, boolean responses, long now) {
        if (there[server] != responses) {
            there[server] = responses;
            since[server] = now;
        }
        if (!responses && now - since[server] >= AWAY_NANOS && othersResponse(server)) {
            if (state.leaveOut(server, true)) {
                LOG.warn("memcached {} is away: left out, its copies decide; challenges change", name);
            }
        } else if (responses && now - since[server] >= BACK_NANOS && state.leaveOut(server, false)) {
            LOG.info("memcached {} is back: it decides again; challenges change", name);
        }
    }

    private boolean othersResponse(int server) {
        for (int i = 0; i < there.length; i++) {
            if (i != server && there[i]) {
                return true;
            }
        }
        return false;
    }
}
