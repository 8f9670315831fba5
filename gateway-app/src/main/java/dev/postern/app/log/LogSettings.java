package dev.postern.app.log;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import java.time.Duration;
import java.util.List;

/** Log settings, section {@code log} of the configuration. The log never contains a token, a nonce or a full client address. */
public record LogSettings(
        @Key(
                defaultValue = "info",
                description =
                        "Level of the gateway; libraries log at most `info`, because more would name destinations.")
        Level level,

        @Key(
                defaultValue = "text",
                description = "Format of the program log, on standard error; `json` has the field names of ECS.")
        Format format,

        @Key(defaultValue = "1%", description = "Share of successful exchanges that are logged.")
        Share successes,

        @Key(
                defaultValue = "0",
                description = "Successful exchanges that take longer are logged too, beside that share. 0: none.")
        Duration slow,

        @Key(
                formerly = "refusals",
                defaultValue = "1000/s",
                description = "Maximum rate of logged refusals, in bursts of one second; further ones are counted in"
                        + " `postern.log.lost`. 0: no limit.")
        Rate refusalRate,

        @Key(defaultValue = "truncated", description = "`truncated`: to /24 (IPv4) or /48 (IPv6).")
        ClientAddress clientAddress,

        @Key(
                defaultValue = "off",
                needs = "listeners[].mode: forward",
                description = "Whether lines name the destination of a tunnel.")
        Switch destination,

        @Key(defaultValue = "off", description = "Whether lines contain the query of a request.")
        Switch query,

        @Key(defaultValue = "{}", description = "Target and fields of the exchange log.")
        Exchanges exchanges) {

    /** Format of the program log. */
    public enum Format {
        TEXT,
        /** One JSON object per line, with the field names of the Elastic Common Schema. */
        JSON
    }

    /** Target and fields of the exchange log. */
    public record Exchanges(
            @Key(
                    defaultValue = "stdout",
                    description = "`stdout`, `file:` with an absolute path, or `syslog:HOST:PORT` (RFC 5424 over TCP)"
                            + " ([examples](observe.md#read-the-exchange-log)).")
            LogTarget to,

            @Key(
                    defaultValue = "100MiB",
                    min = "1MiB",
                    max = "1024GiB",
                    needs = "to: file:NAME",
                    description = "Size at which the file becomes `PATH.1` and a new one begins.")
            ByteSize maxSize,

            @Key(
                    defaultValue = "5",
                    min = "1",
                    max = "1000",
                    needs = "to: file:NAME",
                    description = "Number of full files that are kept; older ones are deleted.")
            int keep,

            @Key(
                    defaultValue = "[]",
                    description = "Fields of a line, in the order of the log; `[]`: all. Those that other keys switch"
                            + " off stay away.")
            List<LogField> fields) {

        public Exchanges {
            fields = List.copyOf(fields);
        }
    }

    /** Level of program log lines. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** Client address in log lines. */
    public enum ClientAddress {
        /** Logs the first 24 bits of IPv4 addresses and the first 48 bits of IPv6 addresses. */
        TRUNCATED,
        OFF
    }

    /** Switch of a log field. */
    public enum Switch {
        OFF,
        ON
    }
}
