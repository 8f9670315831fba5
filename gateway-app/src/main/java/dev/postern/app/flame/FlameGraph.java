package dev.postern.app.flame;

import dev.postern.app.profile.Profile;
import dev.postern.app.profile.ProfileEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * Flame graph: a profile reduced to a bounded size, whatever its duration.
 *
 * @param id for later requests of the graph
 * @param engine profiler and its mode
 * @param hint what the profile lacks, and the permission that would add it
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
