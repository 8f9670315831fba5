package dev.postern.core.testing.flood;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Result of one flood.
 *
 * @param responded exchanges of other clients
 * @param failures those without status 200
 * @param firstFailure the first of them
 * @param worstSeconds the longest one
 * @param grown maximum increase of the sampled value
 * @param descriptorsBefore open before the flood
 * @param descriptorsAfter open after the flood
 * @param counted increase of the gateway's own counter
 */
public record FloodResult(
        Flood flood,
        long responded,
        long failures,
        String firstFailure,
        double worstSeconds,
        long grown,
        int descriptorsBefore,
        int descriptorsAfter,
        double counted) {

    private static final long FREED_WITHIN_SECONDS = 20;

    /**
     * Runs a flood for at most that long.
     *
     * @param sampled polled all the time, the resident memory for example
     */
    public static FloodResult run(Flood flood, FloodTarget target, Duration max, LongSupplier sampled)
            throws InterruptedException {
        int descriptorsBefore = target.descriptors();
        double counted = target.counted(flood.counted());
        long first = sampled.getAsLong();
        long highest = first;
        long end = System.nanoTime() + max.toNanos();
        OtherClients others = new OtherClients(target.port());
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
        int descriptorsAfter = target.descriptorsAfter(descriptorsBefore, FREED_WITHIN_SECONDS);
        return new FloodResult(
                flood,
                others.responded(),
                others.failures(),
                others.firstFailure(),
                others.worstSeconds(),
                highest - first,
                descriptorsBefore,
                descriptorsAfter,
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
                // The gateway ended the connection in another way, which is permitted; the next connection follows.
            }
        }
    }
}
