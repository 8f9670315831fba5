package dev.postern.auth.spend.memcached;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Nobody outside a router knows which server it asked, so all of those behind it must be good. Thread-safe. */
record AllServersCheck(List<IncarnationCheck> witnesses) implements MemcachedServer.Witnesses {

    @Override
    public void ask(PendingAdd add) {
        AtomicInteger missing = new AtomicInteger(witnesses.size());
        AtomicBoolean refused = new AtomicBoolean();
        for (IncarnationCheck check : witnesses) {
            check.vouch(add.redemption(), good -> {
                if (!good) {
                    refused.set(true);
                }
                if (missing.decrementAndGet() == 0) {
                    add.vouched(!refused.get());
                }
            });
        }
    }
}
