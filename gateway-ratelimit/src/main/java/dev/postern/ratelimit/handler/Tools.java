package dev.postern.ratelimit.handler;

import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.waiting.TicketCookie;
import dev.postern.ratelimit.waiting.WaitingReply;
import java.time.InstantSource;

/** What every decision needs, made once. */
public record Tools(
        Naming naming,
        TicketCookie cookies,
        WaitingReply replies,
        PassMirror mirror,
        Parking parking,
        InstantSource clock) {

    long now() {
        return Micros.of(clock);
    }
}
