package dev.postern.core.connection;

import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.http.HeadLimits;
import java.time.Duration;

/** Settings of client connections and their requests: limits and timeouts, section {@code limits} of the configuration. */
public record ConnectionSettings(
        @Key(
                defaultValue = "16KiB",
                min = "1KiB",
                max = "1MiB",
                description = "Maximum size of a request head; beyond it 431, or 414 for the request line.")
        ByteSize requestHead,

        @Key(
                defaultValue = "256",
                min = "16",
                max = "4096",
                description = "Maximum fields of a request head; beyond it 431.")
        int maxFields,

        @Key(
                defaultValue = "32",
                min = "1",
                max = "256",
                needs = "listeners[].protocols: h1",
                description = "Maximum options in `Connection` of a request; beyond it 400.")
        int maxConnectionOptions,

        @Key(
                defaultValue = "0",
                description = "Maximum size of a request body; beyond it 413. 0: no limit. Routes may override it.")
        ByteSize requestBody,

        @Key(
                defaultValue = "64KiB",
                min = "0",
                max = "1GiB",
                description =
                        "Bytes of a refused body that are read to keep the connection; beyond it the connection is"
                                + " closed.")
        ByteSize discardBody,

        @Key(
                defaultValue = "10s",
                min = "100ms",
                max = "1h",
                description = "From the first byte of a head to its last; then 408.")
        Duration headTimeout,

        @Key(
                defaultValue = "60s",
                min = "100ms",
                max = "1d",
                description = "Maximum pause of a request body, until the response starts; then 408.")
        Duration bodyIdleTimeout,

        @Key(
                defaultValue = "240B/s",
                description =
                        "Minimum rate of a request body over 60 s while the gateway reads; below it 408. 0: no limit."
                                + " Until the response begins. Not for tunnels, upgrades, gRPC over HTTP/2 to an upstream with"
                                + " `protocol: h2`. Routes may override it.")
        ByteRate minBodyRate,

        @Key(
                defaultValue = "60s",
                min = "100ms",
                max = "1d",
                description =
                        "Maximum time in which a client reads no byte of a response; then its connection is closed. Not"
                                + " for tunnels.")
        Duration writeIdleTimeout,

        @Key(
                defaultValue = "60s",
                min = "100ms",
                max = "1d",
                description = "Time without an exchange; then the connection is closed.")
        Duration keepAliveTimeout,

        @Key(
                defaultValue = "100000",
                min = "1",
                max = "10000000",
                description =
                        "Maximum client connections; at this number the listeners stop accepting until one closes."
                                + " Connections that are read on after an early response close first.")
        int connections,

        @Key(
                defaultValue = "0",
                min = "0",
                max = "10000000",
                upTo = "connections",
                description =
                        "Maximum connections of one client address (IPv6: /64); further ones are closed. 0: no limit."
                                + " Not for `trusted-proxies`.")
        int connectionsPerAddress,

        @Key(
                defaultValue = "0",
                needs = "listeners[].tls",
                description =
                        "Maximum TLS handshakes of one client address (IPv6: /64), such as `20/s`, all listeners together;"
                                + " further connections are closed before the handshake. 0: no limit. Not for `trusted-proxies`.")
        Rate handshakesPerAddress,

        @Key(
                defaultValue = "8",
                min = "1",
                max = "1024",
                needs = "listeners[].protocols: h1",
                description = "Maximum concurrent exchanges of an HTTP/1.1 connection; beyond it reading stops.")
        int pipelineDepth,

        @Key(
                defaultValue = "refuse",
                needs = "listeners[].protocols: h1",
                description =
                        "An HTTP/1.1 client that ends its output (FIN, or close_notify of TLS) before it has its responses:"
                                + " `refuse` ends its exchanges, as nginx does; `allow` still responds to complete requests,"
                                + " over TLS only with `transport.tls-engine: jdk` and TLS 1.3; otherwise the connection is"
                                + " reset. Tunnels always pass the end on.")
        HalfClose halfClose) {

    /** Meaning of a client that ends its output while its responses are on their way (ADR 43). */
    public enum HalfClose {
        /** The client has gone: its exchanges end, and their upstreams are cancelled. */
        REFUSE,
        /** The client still reads: complete requests get their responses. */
        ALLOW
    }

    /** Returns the limits of a request head. */
    public HeadLimits head() {
        return new HeadLimits((int) requestHead.bytes(), maxFields, maxConnectionOptions);
    }

    /** Returns a copy with this maximum of connections. */
    public ConnectionSettings with(int max) {
        return new ConnectionSettings(
                requestHead,
                maxFields,
                maxConnectionOptions,
                requestBody,
                discardBody,
                headTimeout,
                bodyIdleTimeout,
                minBodyRate,
                writeIdleTimeout,
                keepAliveTimeout,
                max,
                connectionsPerAddress,
                handshakesPerAddress,
                pipelineDepth,
                halfClose);
    }
}
