package dev.postern.ratelimit.rehearsal;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Plays an opening: everybody of a crowd comes to a room, asks again as often as the page does, uses the site for a while, and leaves.
 * The room decides by the very rules that it has in a gateway. One thread; the same seed plays the same opening.
 */
public final class Rehearsal {

    private static final int SAMPLES = 24;
    private static final long SECOND = 1_000_000;

    private final RoomRules rules;
    private final Crowd crowd;
    private final Room room;
    private final SplittableRandom random;
    /** Whose turn is when: {@code time * Crowd.MAX + person}, so that the order of numbers is that of time. */
    private final PriorityQueue<Long> agenda = new PriorityQueue<>();

    private final long[] came;
    /** When those who are in have seen enough; -1 for who is not. */
    private final long[] leaves;
    /** When those who wait close the page. */
    private final long[] tired;

    private final long[] waits;
    private int in;
    private int free;
    private int left;
    private int full;
    private int waiting;
    private long last;

    public Rehearsal(RoomRules rules, Crowd crowd) {
        this.rules = rules;
        this.crowd = crowd;
        this.room = new Room(rules, 0);
        this.random = new SplittableRandom(crowd.seed());
        this.came = new long[crowd.people()];
        this.leaves = new long[crowd.people()];
        this.tired = new long[crowd.people()];
        this.waits = new long[crowd.people()];
    }

    /**
     * @param atMost when the play is over whoever still waits
     * @param progress told the time of the play now and then
     */
    public Outcome play(long atMost, LongConsumer progress) {
        for (int person = 0; person < crowd.people(); person++) {
            came[person] = crowd.over() == 0 ? 1 : 1 + random.nextLong(crowd.over());
            leaves[person] = -1;
            due(person, came[person]);
        }
        List<Outcome.Sample> samples = new ArrayList<>();
        long every = SECOND;
        long sampled = 0;
        for (Long next = agenda.poll(); next != null; next = agenda.poll()) {
            long now = next / Crowd.MAX;
            if (now > atMost) {
                break;
            }
            if (now >= sampled) {
                AdmissionDecision.Snapshot is = room.snapshot(now);
                samples.add(new Outcome.Sample(now, is.waiting(), is.active()));
                progress.accept(now);
                sampled = now + every;
                if (samples.size() == 2 * SAMPLES) {
                    samples = thinned(samples);
                    every *= 2;
                }
            }
            turn((int) (next % Crowd.MAX), now);
        }
        long[] sorted = Arrays.copyOf(waits, in);
        Arrays.sort(sorted);
        return new Outcome(sorted, free, left, full, waiting, Math.min(last, atMost), samples);
    }

    private static List<Outcome.Sample> thinned(List<Outcome.Sample> samples) {
        List<Outcome.Sample> half = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += 2) {
            half.add(samples.get(i));
        }
        return half;
    }

    private void due(int person, long time) {
        agenda.add(time * Crowd.MAX + person);
    }

    private void turn(int person, long now) {
        boolean inside = leaves[person] >= 0;
        boolean first = now == came[person];
        Intent intent = inside ? Intent.FETCH : first ? Intent.ENTER : Intent.POLL;
        AdmissionDecision decision =
                room.decide(new AdmissionRequest(intent, "p" + person, "site", Claim.NONE, "", TenantShare.NONE), now);
        if (inside) {
            use(person, decision, now);
        } else {
            arrive(person, decision, now, first);
        }
    }

    private void arrive(int person, AdmissionDecision decision, long now, boolean first) {
        switch (decision.kind()) {
            case BASE -> {
                free++;
                enters(person, now, first);
            }
            case ADMITTED -> {
                enters(person, now, first);
                leaves[person] = now + stay();
                use(person, decision, now);
            }
            case WAITING -> {
                if (first) {
                    waiting++;
                    tired[person] = now + patience(decision);
                }
                if (now >= tired[person]) {
                    waiting--;
                    left++;
                } else {
                    due(person, now + pause(decision.retry()));
                }
            }
            default -> {
                waiting -= first ? 0 : 1;
                full++;
            }
        }
    }

    private void enters(int person, long now, boolean first) {
        waiting -= first ? 0 : 1;
        waits[in++] = now - came[person];
        last = now;
    }

    /** Asks for something as often as the pass needs to stay alive, until the stay is over. */
    private void use(int person, AdmissionDecision decision, long now) {
        long next = now + rules.idle() / 2;
        if (decision.kind() == AdmissionDecision.Kind.ADMITTED && next < leaves[person]) {
            due(person, next);
        }
    }

    /** Some leave at any time of the wait that they were told. */
    private long patience(AdmissionDecision decision) {
        boolean leaving = random.nextDouble() < crowd.leaving();
        return leaving ? random.nextLong(Math.max(1, decision.estimate())) : Long.MAX_VALUE / 2;
    }

    private long stay() {
        return Math.max(1, (long) (-Math.log(1 - random.nextDouble()) * crowd.stay()));
    }

    /** As the page does: whole seconds, and up to a quarter more. */
    private long pause(long retry) {
        long seconds = Math.max(1, (retry + SECOND - 1) / SECOND);
        return seconds * SECOND + random.nextLong(seconds * SECOND / 4);
    }
}
