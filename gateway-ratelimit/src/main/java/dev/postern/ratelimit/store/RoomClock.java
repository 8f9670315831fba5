package dev.postern.ratelimit.store;

import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Clock of the rooms and limits in this process, and the rule about time of all rooms (docs/adr/0049).
 *
 * <p>The rule: a room's clock goes with the clock of its store while a monotonic witness agrees; a jump of the store's clock, back or ahead,
 * is no time that passed in the room. {@link #next} is the whole rule, and {@code room.lua} has the same lines.
 *
 * <ul>
 *   <li>Rooms in memory: the store's clock is the ticker of this process. A time in which no call read it is a pause: the process did not
 *       run, so no client could be heard, and the room's clock stands still. It begins with the wall clock, and then approaches it by at
 *       most a 64th of the time that passes, so that the cookies of this process are understood after its restart.
 *   <li>Rooms in Redis: the store's clock is {@code TIME}. The witness is the node that calls: it sends what the room's clock was by its
 *       own ticker. The difference to {@code TIME} is stored with the room.
 * </ul>
 *
 * <p>What this means for each kind of time:
 *
 * <table>
 * <caption>Times</caption>
 * <tr><th>time</th><th>clock</th><th>clock steps back</th><th>clock steps ahead</th><th>pause of a process</th></tr>
 * <tr><td>absence, keep (places)</td><td>room</td><td>no effect</td><td>no effect</td><td>does not count: memory stands still, a node in
 * front of Redis reports its silence later ({@code NodeKnowledge})</td></tr>
 * <tr><td>idle (passes)</td><td>room</td><td>no effect</td><td>no effect</td><td>as for places</td></tr>
 * <tr><td>hard end of a pass</td><td>room</td><td>no effect</td><td>no effect</td><td>memory: later by the pause; Redis: counts, since
 * another node may serve the session</td></tr>
 * <tr><td>leases of pages, openers</td><td>room</td><td>no effect</td><td>no effect</td><td>as for hard ends</td></tr>
 * <tr><td>arrivals of the base rate</td><td>room</td><td>no effect</td><td>no effect</td><td>as for hard ends</td></tr>
 * <tr><td>arrivals of limits in memory</td><td>this class</td><td>no effect</td><td>no effect</td><td>memory stands still</td></tr>
 * <tr><td>arrivals of limits in Redis</td><td>{@code TIME}</td><td>cut to now + tolerance + interval</td><td>Redis drops them: one more
 * burst</td><td>counts</td></tr>
 * <tr><td>tickets</td><td>room</td><td colspan="3">later than the tickets of all that came before, restored ones too</td></tr>
 * <tr><td>claims in cookies</td><td>room</td><td colspan="3">the room keeps its clock through a restart or another server, as long as one
 * node knows it</td></tr>
 * <tr><td>cached passes, holds, streams</td><td>node: {@code TickerClock}</td><td>no effect</td><td>no effect</td><td>counts; the store is
 * asked</td></tr>
 * <tr><td>{@code opens-at}</td><td>wall</td><td>open stays open</td><td>opens</td><td>counts</td></tr>
 * </table>
 *
 * <p>Thread-safe.
 */
public final class RoomClock {

    /** Difference between two readings, or to the witness, that is no jump; also {@code GAP} in {@code room.lua}. Microseconds. */
    public static final long GAP = 1_000_000;

    /** Time after which a reading is stored, in microseconds: most readings only compute. A pause counts as much. */
    static final long STORED = 100_000;

    /** Part of the time that passes by which the clock approaches the wall clock. */
    private static final int APPROACH = 64;

    private static final AtomicReferenceFieldUpdater<RoomClock, Reading> CHANGE =
            AtomicReferenceFieldUpdater.newUpdater(RoomClock.class, Reading.class, "stored");

    private final Ticker ticker;
    private final InstantSource wall;
    private volatile Reading stored;

    /** @param wall clock with which the times begin, and which they approach */
    public RoomClock(Ticker ticker, InstantSource wall) {
        this.ticker = ticker;
        this.wall = wall;
        this.stored = new Reading(micros(ticker), Micros.of(wall), 0);
    }

    /**
     * Returns the room's time after {@code last}: that of the store's clock, unless this clock jumped. Microseconds.
     *
     * @param clock time of the store's clock
     * @param witness time of the room by a monotonic clock; not after {@code last} if none is known
     */
    public static long next(long last, long clock, long witness) {
        long sure = Math.max(last, witness);
        return last <= clock && clock <= sure + GAP ? clock : sure;
    }

    /**
     * Returns the time in microseconds since 1970. It never goes back; a pause between two calls, longer than {@link #GAP} and {@link
     * #STORED}, does not count.
     */
    public long now() {
        while (true) {
            Reading known = stored;
            long passed = micros(ticker) - known.ticks;
            if (passed < STORED) {
                return known.after(passed);
            }
            long time = next(known.after(STORED), known.after(passed), 0);
            Reading read = new Reading(known.ticks + passed, time, Micros.of(wall) - time);
            if (CHANGE.compareAndSet(this, known, read)) {
                return time;
            }
        }
    }

    /** Returns by how much the wall clock is ahead of the given time, in microseconds. */
    public long wallAhead(long now) {
        return Micros.of(wall) - now;
    }

    private static long micros(Ticker ticker) {
        return ticker.nanoTime() / 1000;
    }

    /**
     * Reading of the clock.
     *
     * @param ticks of the ticker, in microseconds
     * @param ahead by how much the wall clock was ahead
     */
    private record Reading(long ticks, long time, long ahead) {

        long after(long passed) {
            long most = passed / APPROACH;
            return time + passed + Math.max(-most, Math.min(ahead, most));
        }
    }
}
