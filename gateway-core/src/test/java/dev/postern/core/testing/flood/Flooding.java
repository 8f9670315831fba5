package dev.postern.core.testing.flood;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What came of one flood.
 *
 * @param responded exchanges of other clients
 * @param failures those that were not answered with 200
 * @param complaint the first of them
 * @param worstSeconds the longest one
 * @param grown what the sampled figure rose by at most
 * @param descriptorsBefore open before it
 * @param descriptorsAfter open when all of it was over
 * @param counted by how much the gateway's own count of it rose
 */
public record Flooding(
        Flood flood,
        long responded,
        long failures,
        String complaint,
        double worstSeconds,
        long grown,
        int descriptorsBefore,
        int descriptorsAfter,
        double counted) {

    private static final long FREED_WITHIN_SECONDS = 20;

    /**
     * Floods for so long.
     *
     * @param sampled asked all the time, the resident memory for example
     */
    public static Flooding run(Flood flood, Target target, Duration most, LongSupplier sampled)
            throws InterruptedException {
        int before = target.descriptors();
        double counted = target.counted(flood.counted());
        long first = sampled.getAsLong();
        long highest = first;
        long end = System.nanoTime() + most.toNanos();
        Bystanders others = new Bystanders(target.port());
        try (others) {
            List<Thread> attackers = new ArrayList<>();
            for (int i = 0; i < flood.attackers(); i++) {
                attackers.add(attacker(flood, target.port(), end));
            }
            while (attackers.stream().anyMatch(Thread::isAlive)) {
                highest = Math.max(highest, sampled.getAsLong());
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        int after = target.descriptorsAfter(before, FREED_WITHIN_SECONDS);
        return new Flooding(
                flood,
                others.responded(),
                others.failures(),
                others.complaint(),
                others.worstSeconds(),
                highest - first,
                before,
                after,
                target.counted(flood.counted()) - counted);
    }

    private static Thread attacker(Flood flood, int port, long end) {
        Thread thread = new Thread(null, () -> attack(flood, port, end), "attacker", 256 * 1024);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void attack(Flood flood, int port, long end) {
        while (System.nanoTime() < end) {
            try {
                flood.attack().once(port);
            } catch (IOException | UncheckedIOException | IllegalStateException e) {
                // The gateway ended it in another way, which is its good right; the next connection follows.
            }
        }
    }
}
