package dev.postern.auth.pipelining;

import dev.postern.auth.pipelining.Step.Fate;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline and what was seen of it so far, told by the upstream, the gateway's stages and the client. Whatever must not be is written down as
 * soon as it is. Thread-safe.
 */
final class Pipeline {

    private static final int LONGEST = 14;

    /** Of a safe request whose connections were stale, as far as anybody could tell. */
    private static final int MAX_TRIES = 2;

    private final long number;
    private final List<Step> steps = new ArrayList<>();
    private final int leaveAfter;
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
        arrived = new int[length];
        responded = new boolean[length];
        exchanges = new Exchange[length];
    }

    long number() {
        return number;
    }

    List<Step> steps() {
        return steps;
    }

    boolean last(Step step) {
        return step.index() == steps.size() - 1;
    }

    /** After so many responses the client is gone. */
    int leaveAfter() {
        return leaveAfter;
    }

    /** The first step whose response is broken off, or null. */
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

    synchronized boolean over() {
        return started == ended;
    }

    // ---- the upstream

    /** A request came to the upstream: it must be its turn. */
    synchronized void arrived(Step step) {
        int index = step.index();
        arrived[index]++;
        if (step.fate() == Fate.SPENT || step.fate() == Fate.UNKNOWN || step.fate() == Fate.REFUSED) {
            faults.add(step.path() + " was forwarded, " + step.fate());
        }
        int most = step.safe() && step.fate() == Fate.DROPPED ? MAX_TRIES : 1;
        if (arrived[index] > most) {
            faults.add(step.path() + " came " + arrived[index] + " times");
        }
        for (Step before : steps.subList(0, index)) {
            boolean waits = forwarded(before) && !responded[before.index()];
            if (waits && !step.safe()) {
                faults.add(step.path() + " came while " + before.path() + " was not answered");
            }
            if (waits && !before.safe()) {
                faults.add(step.path() + " came before the response to the unsafe " + before.path());
            }
        }
    }

    /** Whether that one, unless there was no connection for it, has to go to the upstream before those behind it may. */
    private boolean forwarded(Step step) {
        boolean goes = step.fate() == Fate.ANSWERED || step.fate() == Fate.DROPPED || step.fate() == Fate.CUT;
        Exchange exchange = exchanges[step.index()];
        return goes && (exchange == null || exchange.outcome().refusal() != Refusal.UPSTREAM_BUSY);
    }

    /** The upstream is about to send the last byte, or to close. */
    synchronized void responded(Step step) {
        responded[step.index()] = step.fate() != Fate.CUT;
    }

    // ---- afterwards

    /** What must hold when nothing goes on any more. */
    synchronized List<String> faults(RecordingLedger ledger) {
        for (Step step : steps) {
            Exchange exchange = exchanges[step.index()];
            boolean went = exchange != null && exchange.outcome().forwarded();
            if (arrived[step.index()] > 0 && !went) {
                faults.add(step.path() + " came, and nobody forwarded it");
            }
            boolean spent = ledger.knownSpent(step.key());
            boolean before = step.fate() == Fate.SPENT;
            if (spent != (went || before)) {
                faults.add(step.path() + (spent ? " was spent for nothing" : " was forwarded for nothing"));
            }
            if (exchange != null
                    && exchange.credential() != null
                    && exchange.credential().spent()
                    && before) {
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
