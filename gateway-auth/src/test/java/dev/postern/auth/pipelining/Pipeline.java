package dev.postern.auth.pipelining;

import dev.postern.auth.pipelining.Step.Fate;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Pipeline of requests and its observed state, reported by the upstream, the gateway's stages and the client. Each violation is recorded at
 * once. Thread-safe.
 */
final class Pipeline {

    private static final int LONGEST = 14;

    /** Maximum attempts of a safe request whose connections appeared stale. */
    private static final int MAX_TRIES = 2;

    private final long number;
    private final List<Step> steps = new ArrayList<>();
    private final int leaveAfter;
    private final End end;
    private final int[] arrived;
    private final boolean[] responded;
    private final @Nullable Exchange[] exchanges;
    private final List<String> faults = new ArrayList<>();
    private int started;
    private int ended;

    Pipeline(long number) {
        this.number = number;
        SplittableRandom random = new SplittableRandom(number);
        int length = random.nextInt(1, LONGEST + 1);
        for (int i = 0; i < length; i++) {
            steps.add(Step.random(number, i, random));
        }
        leaveAfter = random.nextInt(20) == 0 ? random.nextInt(length) : Integer.MAX_VALUE;
        end = End.values()[random.nextInt(End.values().length)];
        arrived = new int[length];
        responded = new boolean[length];
        exchanges = new Exchange[length];
    }

    /** End of the client's requests. */
    enum End {
        /** The last request has {@code Connection: close}. */
        CLOSE,
        /** The client ends its output after the last request. */
        END_OF_INPUT,
        /** A malformed request follows the last one. */
        MALFORMED
    }

    long number() {
        return number;
    }

    End end() {
        return end;
    }

    List<Step> steps() {
        return steps;
    }

    /** Returns whether the request has {@code Connection: close}. */
    boolean closes(Step step) {
        return end == End.CLOSE && last(step);
    }

    /** Returns whether the connection may close after the response. */
    boolean mayClose(Step step) {
        return end != End.MALFORMED && last(step);
    }

    private boolean last(Step step) {
        return step.index() == steps.size() - 1;
    }

    /** Returns the number of responses after which the client disconnects. */
    int leaveAfter() {
        return leaveAfter;
    }

    /** Returns the first step whose response is truncated, or null. */
    @Nullable
    Step cut() {
        return steps.stream()
                .filter(step -> step.fate() == Fate.CUT)
                .findFirst()
                .orElse(null);
    }

    // ---- the gateway

    synchronized void started(Step step, Exchange exchange) {
        exchanges[step.index()] = exchange;
        started++;
    }

    synchronized void ended() {
        ended++;
        notifyAll();
    }

    synchronized boolean allEnded() {
        return started == ended;
    }

    // ---- the ledger

    /** Records that the token of a step is about to be spent: only when its request may be forwarded. */
    synchronized void spending(Step step) {
        checkTurn(step, "was spent");
    }

    // ---- the upstream

    /** Records a request at the upstream; its order must be correct. */
    synchronized void arrived(Step step) {
        int index = step.index();
        arrived[index]++;
        if (step.fate() == Fate.SPENT || step.fate() == Fate.UNKNOWN || step.fate() == Fate.REFUSED) {
            faults.add(step.path() + " was forwarded, " + step.fate());
        }
        int max = step.safe() && step.fate() == Fate.DROPPED ? MAX_TRIES : 1;
        if (arrived[index] > max) {
            faults.add(step.path() + " came " + arrived[index] + " times");
        }
        checkTurn(step, "came");
    }

    /** Checks that a step may be forwarded now. */
    private void checkTurn(Step step, String event) {
        for (Step earlier : steps.subList(0, step.index())) {
            boolean waits = forwarded(earlier) && !responded[earlier.index()];
            if (waits && !step.safe()) {
                faults.add(step.path() + " " + event + " while " + earlier.path() + " had no response");
            }
            if (waits && !earlier.safe()) {
                faults.add(step.path() + " " + event + " before the response to the unsafe " + earlier.path());
            }
        }
    }

    /** Returns whether the step must be forwarded before later steps, unless there was no connection for it. */
    private boolean forwarded(Step step) {
        boolean goes = step.fate() == Fate.RESPONDED || step.fate() == Fate.DROPPED || step.fate() == Fate.CUT;
        Exchange exchange = exchanges[step.index()];
        return goes && (exchange == null || exchange.outcome().refusal() != Refusal.UPSTREAM_BUSY);
    }

    /** Records that the upstream is about to send the last byte, or to close. */
    synchronized void responded(Step step) {
        responded[step.index()] = step.fate() != Fate.CUT;
    }

    // ---- afterwards

    /** Returns the violations after all exchanges have ended. */
    synchronized List<String> faults(RecordingLedger ledger) {
        for (Step step : steps) {
            Exchange exchange = exchanges[step.index()];
            boolean went = exchange != null && exchange.outcome().forwarded();
            if (arrived[step.index()] > 0 && !went) {
                faults.add(step.path() + " arrived, but was not forwarded");
            }
            boolean spent = ledger.knownSpent(step.key());
            boolean earlier = step.fate() == Fate.SPENT;
            if (spent != (went || earlier)) {
                faults.add(step.path() + (spent ? " was spent for nothing" : " was forwarded for nothing"));
            }
            if (exchange != null
                    && exchange.credential() != null
                    && exchange.credential().spent()
                    && earlier) {
                faults.add(step.path() + " was spent twice");
            }
        }
        return List.copyOf(faults);
    }

    @Override
    public String toString() {
        return "pipeline " + number + ": " + steps;
    }
}
