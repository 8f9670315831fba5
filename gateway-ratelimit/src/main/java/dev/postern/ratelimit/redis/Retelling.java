package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.store.RoomKey;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells rooms what this node knows, a bounded number of visits at a time, and one round per room at a time. One event loop's. */
final class Retelling {

    /** Visits of one round under way at once: some calls' worth. */
    static final int MAX_UNDER_WAY = 512;

    private final Asking asking;
    private final Set<String> running = new HashSet<>();

    Retelling(Asking asking) {
        this.asking = asking;
    }

    /** Asks the store, and takes note of the response; answered on the loop that the round began on. */
    interface Asking {

        void ask(RoomKey room, AdmissionRequest request, Consumer<AdmissionDecision> response);
    }

    /**
     * Begins a round unless one is under way for that room.
     *
     * @param visits asked for when the round begins
     * @param done told when all of them were answered, not when one was not
     */
    void begin(RoomKey room, Supplier<List<AdmissionRequest>> visits, Runnable done) {
        if (running.add(room.id())) {
            new Round(room, visits.get().iterator(), done).next();
        }
    }

    private final class Round {

        private final RoomKey room;
        private final Iterator<AdmissionRequest> left;
        private final Runnable done;
        private int underWay;
        private boolean failed;
        private boolean finished;

        Round(RoomKey room, Iterator<AdmissionRequest> left, Runnable done) {
            this.room = room;
            this.left = left;
            this.done = done;
        }

        private void next() {
            while (!failed && left.hasNext() && underWay < MAX_UNDER_WAY) {
                underWay++;
                asking.ask(room, left.next(), this::responded);
            }
            if (underWay == 0 && !finished) {
                finished = true;
                running.remove(room.id());
                if (!failed) {
                    done.run();
                }
            }
        }

        private void responded(AdmissionDecision decision) {
            underWay--;
            failed |= decision.kind() == AdmissionDecision.Kind.UNKNOWN;
            next();
        }
    }
}
