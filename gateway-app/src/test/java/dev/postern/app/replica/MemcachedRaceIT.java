package dev.postern.app.replica;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the race on memcached: one server, copies, and behind a router, with both clients. */
@ParameterizedClass(name = "{0}")
@MethodSource("stores")
class MemcachedRaceIT extends SharedStoreRace {

    MemcachedRaceIT(RacedStore store) {
        super(store);
    }

    static Stream<RacedStore> stores() {
        Stream<RacedStore> usual = Stream.of(
                MemcachedStore.one("spymemcached"),
                MemcachedStore.one("netty"),
                MemcachedStore.twoCopies("spymemcached", 2),
                MemcachedStore.routed("netty"));
        Stream<RacedStore> others =
                Stream.of(MemcachedStore.twoCopies("netty", 3), MemcachedStore.routed("spymemcached"));
        return RaceRounds.TIMES == 1 ? usual : Stream.concat(usual, others);
    }
}
