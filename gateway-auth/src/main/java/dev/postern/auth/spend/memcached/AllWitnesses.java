package dev.postern.auth.spend.memcached;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Nobody outside a router knows which server it asked, so all of those behind it must be good. Thread-safe. */
record AllWitnesses(List<Witness> witnesses) implements Link.Witnesses {

    @Override
    public void ask(SpendCommand.Request request, Consumer<Boolean> told) {
        AtomicInteger missing = new AtomicInteger(witnesses.size());
        AtomicBoolean refused = new AtomicBoolean();
        for (Witness witness : witnesses) {
            witness.vouch(request, good -> {
                if (!good) {
                    refused.set(true);
                }
                if (missing.decrementAndGet() == 0) {
                    told.accept(!refused.get());
                }
            });
        }
    }
}
