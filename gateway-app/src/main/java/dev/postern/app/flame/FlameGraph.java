package dev.postern.app.flame;

import dev.postern.app.profile.Profile;
import dev.postern.app.profile.ProfileEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * A profile as it is kept: small, however long it took.
 *
 * @param id what it is asked for again by
 * @param engine who took it, and how
 * @param hint what it can't show, and what to permit so that it could
 */
record FlameGraph(
        int id,
        Instant taken,
        Duration length,
        ProfileEvent event,
        String engine,
        String hint,
        FlameNode all,
        LoopTime loops) {

    static FlameGraph of(int id, Instant taken, Duration length, Profile profile) {
        return new FlameGraph(
                id,
                taken,
                length,
                profile.event(),
                profile.engine(),
                profile.hint(),
                FlameTree.of(profile.stacks()),
                LoopTime.of(profile.stacks()));
    }
}
