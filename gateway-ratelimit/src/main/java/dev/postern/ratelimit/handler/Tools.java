package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.waiting.TicketCookie;
import java.time.InstantSource;

/** What every decision needs, made once. */
public record Tools(Naming naming, TicketCookie cookies, PassMirror mirror, Parking parking, InstantSource clock) {

    long now() {
        return Micros.of(clock);
    }
}
