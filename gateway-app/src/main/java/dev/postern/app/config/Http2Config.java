package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.Key;

/** Budgets of HTTP/2; a client that uses one up is told which, and its connection ends. */
public record Http2Config(
        @Key(or = "128", says = "Streams of one connection at once; a further one is refused.")
        int maxStreams,

        @Key(
                or = "64KiB",
                says =
                        "Bytes of one body that may be sent ahead of its reader; all bodies of a connection together 16 times that.")
        ConfigSize streamWindow,

        @Key(or = "4KiB", says = "Bytes of fields that each side remembers for compression.")
        ConfigSize headerTable,

        @Key(formerly = "continuations", or = "8", says = "CONTINUATION frames of one head at most.")
        int maxContinuations,

        @Key(or = "30s", says = "A response waits so long for a client that lets nothing of it out.")
        ConfigDuration windowTimeout,

        @Key(
                formerly = "reset-budget",
                or = "400/m",
                says = "Streams that a client opens and takes back; a whole period's may come at once.")
        ConfigRate maxResets,

        @Key(
                formerly = "fault-budget",
                or = "200/m",
                says = "Streams that a client makes the gateway reset; a whole period's may come at once.")
        ConfigRate maxStreamErrors,

        @Key(
                formerly = "control-budget",
                or = "600/m",
                says =
                        "Frames that carry nothing: SETTINGS, PING and empty ones, each kind by itself; a whole period's may come at once.")
        ConfigRate maxControlFrames) {

    public Http2Config {
        Checks.of()
                .between("max-streams", maxStreams, 1, 10_000)
                .between("stream-window", streamWindow, "1KiB", "64MiB")
                .between("header-table", headerTable, "0", "64KiB")
                .between("max-continuations", maxContinuations, 1, 1000)
                .between("window-timeout", windowTimeout, "100ms", "1h")
                .that(!maxResets.isNone(), "max-resets", maxResets, "1/h or more")
                .that(!maxStreamErrors.isNone(), "max-stream-errors", maxStreamErrors, "1/h or more")
                .that(!maxControlFrames.isNone(), "max-control-frames", maxControlFrames, "1/h or more")
                .done();
    }
}
