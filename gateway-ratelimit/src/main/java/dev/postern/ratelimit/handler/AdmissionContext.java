package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.waiting.TicketCookie;
import java.time.InstantSource;

/** Context of admissions: the objects that all of them share. */
public record AdmissionContext(
        RateKeyExtractor extractor, TicketCookie cookies, PassCache cache, SubresourceHold hold, InstantSource clock) {

    long now() {
        return Micros.of(clock);
    }
}
