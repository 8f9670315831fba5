package dev.postern.app.config;

import dev.postern.app.config.type.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;

/** Limits of client connections and requests. */
public record LimitsConfig(
        @Key(or = "16KiB", says = "Maximum size of a request head; beyond it 431, or 414 for the request line.")
        ByteSize requestHead,

        @Key(or = "256", says = "Maximum fields of a request head; beyond it 431.")
        int maxFields,

        @Key(or = "32", says = "Maximum options in `Connection` of a request; beyond it 400.")
        int maxConnectionOptions,

        @Key(or = "0", says = "Maximum size of a request body; beyond it 413. 0: no limit. Routes may override it.")
        ByteSize requestBody,

        @Key(
                or = "64KiB",
                says = "Bytes of a refused body that are read to keep the connection; beyond it the connection is"
                        + " closed.")
        ByteSize discardBody,

        @Key(or = "10s", says = "From the first byte of a head to its last; then 408.")
        Duration headTimeout,

        @Key(or = "30s", says = "Maximum pause of a request body, until the response starts; then 408.")
        Duration bodyIdleTimeout,

        @Key(
                or = "240B/s",
                says = "Minimum rate of a request body over 30 s while the gateway reads; below it 408. 0: no limit."
                        + " Not for tunnels, upgrades, `application/grpc`. Routes may override it.")
        ByteRate minBodyRate,

        @Key(
                or = "30s",
                says = "Maximum time in which a client reads no byte of a response; then its connection is closed. Not"
                        + " for tunnels.")
        Duration writeIdleTimeout,

        @Key(or = "60s", says = "Time without an exchange; then the connection is closed.")
        Duration keepAliveTimeout,

        @Key(
                or = "100000",
                says = "Maximum client connections; at this number the listeners stop accepting until one closes.")
        int connections,

        @Key(
                or = "0",
                says = "Maximum connections of one client address (IPv6: /64); further ones are closed. 0: no limit."
                        + " Not for `trusted-proxies`.")
        int connectionsPerAddress,

        @Key(or = "8", says = "Maximum concurrent exchanges of an HTTP/1.1 connection; beyond it reading stops.")
        int pipelineDepth) {

    public LimitsConfig {
        Checks.of()
                .between("request-head", requestHead, "1KiB", "1MiB")
                .between("max-fields", maxFields, 16, 4096)
                .between("max-connection-options", maxConnectionOptions, 1, 256)
                .between("discard-body", discardBody, "0", "1GiB")
                .between("head-timeout", headTimeout, "100ms", "1h")
                .between("body-idle-timeout", bodyIdleTimeout, "100ms", "1d")
                .between("write-idle-timeout", writeIdleTimeout, "100ms", "1d")
                .between("keep-alive-timeout", keepAliveTimeout, "100ms", "1d")
                .between("connections", connections, 1, 10_000_000)
                .between("connections-per-address", connectionsPerAddress, 0, 10_000_000)
                .between("pipeline-depth", pipelineDepth, 1, 1024)
                .done();
    }
}
