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

/** Reports this node's knowledge to rooms: a limited number of requests at a time, and one round per room. Confined to one loop. */
final class Retelling {

    /** Maximum number of pending requests of one round: several calls. */
    static final int MAX_UNDER_WAY = 512;

    private final Asking asking;
    private final Set<String> running = new HashSet<>();

    Retelling(Asking asking) {
        this.asking = asking;
    }

    /** Sends a request to the store and records the decision; calls back on the loop of the round. */
    interface Asking {

        void ask(RoomKey room, AdmissionRequest request, Consumer<AdmissionDecision> response);
    }

    /**
     * Starts a round unless one is running for the room.
     *
     * @param visits returns the requests; called when the round starts
     * @param done called when all requests had a response, and not if one had none
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
