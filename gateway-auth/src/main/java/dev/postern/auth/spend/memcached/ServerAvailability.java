package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.store.EpochState;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Availability of the servers, where each spend has several copies: leaves out a server that has not responded for 1 s, and includes the
 * server again after it has responded for 2 s. Never leaves out all servers. For one thread.
 */
final class ServerAvailability {

    static final long UNAVAILABLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long BACK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Logger LOG = LoggerFactory.getLogger(ServerAvailability.class);

    private final EpochState state;
    private final long[] since;
    private final boolean[] there;

    /** @param now time of the ledger's scheduler; until then every server counts as available */
    ServerAvailability(EpochState state, int servers, long now) {
        this.state = state;
        this.since = new long[servers];
        Arrays.fill(since, now);
        this.there = new boolean[servers];
        Arrays.fill(there, true);
    }

    /**
     * Takes whether a server responds.
     *
     * @param name name of the server, for the log
     */
    void report(int server, String name, boolean responses, long now) {
        if (there[server] != responses) {
            there[server] = responses;
            since[server] = now;
        }
        if (!responses && now - since[server] >= UNAVAILABLE_NANOS && othersResponse(server)) {
            if (state.leaveOut(server, true)) {
                LOG.warn("memcached {} is away: left out, the other copies decide; challenges change", name);
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
