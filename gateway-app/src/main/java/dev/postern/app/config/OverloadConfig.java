package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.Key;

/** When to shed load. While any of these is too much, new exchanges are refused with `overloaded`, and `/readyz` fails. */
public record OverloadConfig(
        @Key(or = "{}", says = "The Java heap: what outlives collections.")
        Memory heap,

        @Key(or = "{}", says = "Direct memory, which buffers are made of.")
        Memory directMemory,

        @Key(or = "{}", says = "Event loops that come late.")
        LoopLag loopLag,

        @Key(
                formerly = "unsent",
                or = "25%",
                says =
                        "Bytes that may wait to be written to clients, all together, as a share of the direct memory; past it, answers to slow"
                                + " readers are read from their upstreams no faster than they take them. 0% for no bound.")
        ConfigShare outboundBuffers) {

    /** Thresholds in shares of the largest there may be. */
    public record Memory(
            @Key(
                    formerly = "shed-at",
                    or = "90%",
                    says = "Load is shed from this share of the largest possible on; 0% for never.")
            ConfigShare shedAbove,

            @Key(formerly = "until", or = "80%", says = "Load is shed until it is below this.")
            ConfigShare resumeBelow) {}

    /** Thresholds of the time that a task waits until its event loop runs it. */
    public record LoopLag(
            @Key(
                    formerly = "shed-at",
                    or = "250ms",
                    says =
                            "Load is shed when a task waits so long on at least half of the event loops, for a second; 0 for never.")
            ConfigDuration shedAbove,

            @Key(formerly = "until", or = "100ms", says = "Load is shed until it is less than this.")
            ConfigDuration resumeBelow) {

        public LoopLag {
            Checks.of()
                    .between("shed-above", shedAbove, "0", "1h")
                    .between("resume-below", resumeBelow, "0", "1h")
                    .done();
        }
    }
}
