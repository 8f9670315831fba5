package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.waiting.TicketCookie;
import java.time.InstantSource;

/** What every decision needs, made once. */
public record AdmissionContext(
        RateKeyExtractor naming, TicketCookie cookies, PassCache mirror, SubresourceHold parking, InstantSource clock) {

    long now() {
        return Micros.of(clock);
    }
}
