package dev.postern.auth.spend.memcached;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Nobody outside a router knows which server it asked, so all of those behind it must be good. Thread-safe. */
record AllServersCheck(List<IncarnationCheck> witnesses) implements MemcachedServer.Witnesses {

    @Override
    public void ask(PendingAdd attempt) {
        AtomicInteger missing = new AtomicInteger(witnesses.size());
        AtomicBoolean refused = new AtomicBoolean();
        for (IncarnationCheck witness : witnesses) {
            witness.vouch(attempt.redemption(), good -> {
                if (!good) {
                    refused.set(true);
                }
                if (missing.decrementAndGet() == 0) {
                    attempt.vouched(!refused.get());
                }
            });
        }
    }
}
