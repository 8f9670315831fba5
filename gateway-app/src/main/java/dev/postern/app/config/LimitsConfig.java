package dev.postern.app.config;

import dev.postern.app.config.type.ByteRate;
import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigSize;
import dev.postern.app.config.type.Key;

/** What one client may take. */
public record LimitsConfig(
        @Key(or = "16KiB", says = "Bytes of a request head at most, else 431 or 414.")
        ConfigSize requestHead,

        @Key(or = "256", says = "Fields of a request head at most, else 431.")
        int maxFields,

        @Key(or = "32", says = "Options in `Connection` of a request at most, else 400.")
        int maxConnectionOptions,

        @Key(or = "0", says = "Bytes of a request body at most, else 413; 0 for no limit. Routes may override it.")
        ConfigSize requestBody,

        @Key(
                or = "64KiB",
                says = "A refused body is read away up to here to keep the connection; beyond, it is closed.")
        ConfigSize discardBody,

        @Key(or = "10s", says = "From the first byte of a head to its last, else 408.")
        ConfigDuration headTimeout,

        @Key(or = "30s", says = "A body that is awaited may be silent for so long, until its response begins.")
        ConfigDuration bodyIdleTimeout,

        @Key(
                or = "240B/s",
                says =
                        "A request body has to come that fast while it may, over each 30 s, else 408; 0 for any pace. Not of"
                                + " tunnels, upgrades and `application/grpc`. Routes may override it.")
        ByteRate minBodyRate,

        @Key(
                or = "30s",
                says =
                        "A client may take nothing of its response for so long, then its connection is ended. Not of tunnels.")
        ConfigDuration writeIdleTimeout,

        @Key(or = "60s", says = "A connection without an exchange lives for so long.")
        ConfigDuration keepAliveTimeout,

        @Key(
                or = "100000",
                says = "Client connections at once; when they are open, accepting stops until one is closed.")
        int connections,

        @Key(
                or = "0",
                says =
                        "Client connections at once from one address (IPv6: one /64), further ones are closed; 0 for no limit."
                                + " `trusted-proxies` are exempt.")
        int connectionsPerAddress,

        @Key(or = "8", says = "Exchanges of one connection that are worked on side by side.")
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
