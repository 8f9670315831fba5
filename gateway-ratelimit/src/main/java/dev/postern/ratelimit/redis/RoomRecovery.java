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

/** Reports this node's knowledge to rooms: a limited number of requests at a time, and one report per room. Confined to one loop. */
final class RoomRecovery {

    /** Maximum number of pending requests of one report: several calls. */
    static final int MAX_PENDING = 512;

    private final Sender sender;
    private final Set<String> running = new HashSet<>();

    RoomRecovery(Sender sender) {
        this.sender = sender;
    }

    /** Sends a request to the store and records the decision; calls back on the loop of the recovery. */
    interface Sender {

        void send(RoomKey room, AdmissionRequest request, Consumer<AdmissionDecision> response);
    }

    /**
     * Begins a report unless one is running for the room.
     *
     * @param requests returns the requests; called when the report begins
     * @param reported called when all requests had a response, and not if one had none
     */
    void begin(RoomKey room, Supplier<List<AdmissionRequest>> requests, Runnable reported) {
        if (running.add(room.id())) {
            new Report(room, requests.get().iterator(), reported).next();
        }
    }

    private final class Report {

        private final RoomKey room;
        private final Iterator<AdmissionRequest> unsent;
        private final Runnable reported;
        private int pending;
        private boolean failed;
        private boolean finished;

        Report(RoomKey room, Iterator<AdmissionRequest> unsent, Runnable reported) {
            this.room = room;
            this.unsent = unsent;
            this.reported = reported;
        }

        private void next() {
            while (!failed && unsent.hasNext() && pending < MAX_PENDING) {
                pending++;
                sender.send(room, unsent.next(), this::responded);
            }
            if (pending == 0 && !finished) {
                finished = true;
                running.remove(room.id());
                if (!failed) {
                    reported.run();
                }
            }
        }

        private void responded(AdmissionDecision decision) {
            pending--;
            failed |= decision.kind() == AdmissionDecision.Kind.UNKNOWN;
            next();
        }
    }
}
