package dev.postern.core.overload;

import dev.postern.core.config.Key;
import dev.postern.core.config.Share;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;

/**
 * Settings of load shedding, section {@code overload} of the configuration. Above a threshold new exchanges are refused with
 * {@code overloaded}, and {@code /readyz} fails.
 */
public record OverloadSettings(
        @Key(defaultValue = "{}", description = "Java heap in use after garbage collections.")
        Memory heap,

        @Key(defaultValue = "{}", description = "Direct memory (buffers).")
        Memory directMemory,

        @Key(defaultValue = "{}", description = "Delay of tasks on event loops.")
        LoopLag loopLag,

        @Key(
                formerly = "unsent",
                defaultValue = "25%",
                description =
                        "Maximum unwritten bytes to all clients, as a share of direct memory; beyond it upstreams of"
                                + " slow readers are paused. 0%: no limit.")
        Share outboundBuffers) {

    /** Interval between two samples. */
    static final Duration SAMPLE = Duration.ofMillis(250);

    /** Returns the maximum of unwritten bytes to all clients; 0 for no limit. */
    public long outboundBytes() {
        return (long) (outboundBuffers.fraction() * PlatformDependent.maxDirectMemory());
    }

    /** Returns the threshold in the unit of the resource: a share, or seconds. */
    Threshold of(OverloadResource resource) {
        return switch (resource) {
            case HEAP -> heap.threshold();
            case DIRECT_MEMORY -> directMemory.threshold();
            case LOOP_LAG -> loopLag.threshold();
        };
    }

    /** Memory thresholds, as shares of the maximum. */
    public record Memory(
            @Key(
                    formerly = "shed-at",
                    defaultValue = "90%",
                    description = "Share of the maximum at which shedding starts; 0%: never.")
            Share shedAbove,

            @Key(
                    formerly = "until",
                    defaultValue = "80%",
                    needs = "shed-above",
                    description = "Share below which shedding stops.")
            Share resumeBelow) {

        private Threshold threshold() {
            return new Threshold(shedAbove.fraction(), resumeBelow.fraction());
        }
    }

    /** Loop lag thresholds: the delay of a task until its event loop runs the task. */
    public record LoopLag(
            @Key(
                    formerly = "shed-at",
                    defaultValue = "250ms",
                    min = "0",
                    max = "1h",
                    description =
                            "Delay on at least half of the event loops, for one second, at which shedding starts; 0:"
                                    + " never.")
            Duration shedAbove,

            @Key(
                    formerly = "until",
                    defaultValue = "100ms",
                    min = "0",
                    max = "1h",
                    needs = "shed-above",
                    description = "Delay below which shedding stops.")
            Duration resumeBelow) {

        private Threshold threshold() {
            return new Threshold(shedAbove.toNanos() / 1e9, resumeBelow.toNanos() / 1e9);
        }
    }
}
