package dev.postern.app.config;

import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.ConfigShare;
import dev.postern.app.config.type.Key;

/** What the log holds; never a token, a nonce or a whole client address. */
public record LogConfig(
        @Key(
                or = "info",
                says =
                        "`error`, `warn`, `info`, `debug` or `trace` of the gateway itself; of libraries never more than `info`, since they would name destinations.")
        Level level,

        @Key(or = "1%", says = "Share of successful exchanges that get a line.")
        ConfigShare successes,

        @Key(
                formerly = "refusals",
                or = "1000/s",
                says =
                        "Refusals that get a line, a second's worth at once; those past it are counted in `postern.log.lost`, so that nobody fills a disk."
                                + " 0 for all of them.")
        ConfigRate refusalRate,

        @Key(or = "truncated", says = "`truncated` to /24 (IPv4) or /48 (IPv6), or `off`.")
        ClientAddress clientAddress,

        @Key(or = "off", says = "Whether lines name the destination of a tunnel.")
        Switch destination,

        @Key(or = "off", says = "Whether lines hold the query of a request.")
        Switch query) {

    /** How much the log tells of the program itself. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** How much of a client's address the log may hold. */
    public enum ClientAddress {
        TRUNCATED,
        OFF
    }

    /** On or off. */
    public enum Switch {
        OFF,
        ON
    }
}
