package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.waiting.TicketCookie;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Context of admissions: the objects that all of them share.
 *
 * @param shared returns the store that as many nodes as possible share, for what belongs to no limit
 */
public record AdmissionContext(
        RateKeyExtractor extractor,
        TicketCookie cookies,
        PassCache cache,
        SubresourceHold hold,
        InstantSource clock,
        Supplier<RoomStore> shared) {

    /** Returns the state of a room as last seen, at the present time; with the time of this node if the node has not seen the room. */
    Snapshot lastSeen(RoomStore store, RoomKey room) {
        Snapshot last = store.known(room);
        return last.now() > 0 ? last : new Snapshot(now(), 0, 0, 0);
    }

    long now() {
        return Micros.of(clock);
    }
}
