package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.PassNetworks;
import dev.postern.ratelimit.store.RoomStore;

/**
 * Use of a pass by a client with the cookie of its session: permitted from the network in which the session began, and from {@link
 * PassNetworks#OTHERS} others (docs/adr/0050). A client that may not use a pass may not end it either.
 */
record PassUse(Exchange exchange, RoomStore store, RateKeyExtractor extractor) {

    /**
     * Calls one of the functions, unless the exchange ends before.
     *
     * @param home network in which the session began
     */
    void ask(CachedPass pass, long home, Runnable permitted, Runnable refused) {
        long network = RoomIdentity.prefix(exchange);
        PassNetworks networks = pass.networks();
        if (network == home || networks.contains(network)) {
            permitted.run();
        } else if (networks.full()) {
            refused.run();
        } else {
            String hash = extractor.network(network, pass.session());
            store.network(pass, hash, exchange.loop(), decision -> {
                if (!exchange.ended()) {
                    // Without a response, this node counts alone.
                    boolean counted = decision.kind() != AdmissionDecision.Kind.LIMITED && networks.add(network);
                    (counted ? permitted : refused).run();
                }
            });
        }
    }
}
