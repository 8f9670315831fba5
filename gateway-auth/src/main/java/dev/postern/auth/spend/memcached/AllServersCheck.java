package dev.postern.auth.spend.memcached;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Check of all servers behind a router: a client cannot know which of them stored a spend, so all must be verified. Thread-safe. */
record AllServersCheck(List<IncarnationCheck> servers) implements MemcachedServer.SpendCheck {

    @Override
    public void verify(PendingAdd add) {
        AtomicInteger missing = new AtomicInteger(servers.size());
        AtomicBoolean refused = new AtomicBoolean();
        for (IncarnationCheck check : servers) {
            check.verify(add.redemption(), good -> {
                if (!good) {
                    refused.set(true);
                }
                if (missing.decrementAndGet() == 0) {
                    add.verified(!refused.get());
                }
            });
        }
    }
}
