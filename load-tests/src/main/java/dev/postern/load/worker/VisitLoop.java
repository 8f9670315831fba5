package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import io.netty.channel.EventLoop;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Visit loop: each response lets the next visit start, so that the same number is under way until there are no more.
 */
final class VisitLoop {
    /** More than the gateway's batches hold, so that one batch is on its way while another one is decided. */
    static final int AT_ONCE = 512;

    private static final int MAX_SECONDS = 300;

    private final RoomStore rooms;
    private final RoomKey room;
    private final EventLoop loop;

    VisitLoop(RoomStore rooms, RoomKey room, EventLoop loop) {
        this.rooms = rooms;
        this.room = room;
        this.loop = loop;
    }

    AdmissionDecision ask(AdmissionRequest request) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        loop.execute(() -> rooms.decide(room, request, loop, response::complete));
        return get(response);
    }

    /** Runs all visits and returns their number; another response than the expected one is an error. */
    long run(Kind expected, Iterator<AdmissionRequest> visits) {
        Run run = new Run(expected, visits);
        loop.execute(() -> {
            for (int i = 0; i < AT_ONCE; i++) {
                run.next();
            }
        });
        return get(run.done);
    }

    private static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("visits: responses not as expected", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private final class Run {
        private final CompletableFuture<Long> done = new CompletableFuture<>();
        private final Kind expected;
        private final Iterator<AdmissionRequest> visits;
        private long responded;
        private int open;

        Run(Kind expected, Iterator<AdmissionRequest> visits) {
            this.expected = expected;
            this.visits = visits;
        }

        private void next() {
            if (visits.hasNext()) {
                open++;
                rooms.decide(room, visits.next(), loop, this::responded);
            } else if (open == 0) {
                done.complete(responded);
            }
        }

        private void responded(AdmissionDecision decision) {
            open--;
            responded++;
            if (decision.kind() == expected) {
                next();
            } else {
                done.completeExceptionally(new IllegalStateException(
                        "visit " + responded + ": " + decision.kind() + " (expected: " + expected + ")"));
            }
        }
    }
}
