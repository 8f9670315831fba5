package dev.postern.core.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the Redis of a process, section {@code redis} of the configuration; for rate limits, rooms and the spend ledger. The Redis
 * client decides which URIs are valid, so the reader of the configuration checks them with it.
 */
public record RedisSettings(
        @Key(
                defaultValue = "redis://127.0.0.1:6379",
                description =
                        "`redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. `:`, `@`, `/` and `%` in user or"
                                + " password are written `%3A`, `%40`, `%2F`, `%25`.",
                secret = true)
        String uri,

        @Key(
                defaultValue = "null",
                file = FileKind.SECRET,
                description =
                        "File with the URI, instead of `uri`, for URIs with a password. User and password are read again for each"
                                + " connection.")
        @Nullable
        String uriFile,

        @Key(defaultValue = "false", description = "Whether the address is a node of a Redis Cluster.")
        boolean cluster,

        @Key(
                defaultValue = "null",
                description = "Sentinels, which know the master; host and port of the URI are then not used.")
        @Nullable
        Sentinel sentinel,

        @Key(
                defaultValue = "100ms",
                min = "1ms",
                max = "10s",
                description = "Maximum wait for a rate limit or room; then Redis counts as unavailable.")
        Duration deadline,

        @Key(
                defaultValue = "null",
                description = "Certificates for `rediss://`; changed files are read for the next connection.")
        @Nullable
        Tls tls) {

    private static final int DEFAULT_PORT = 6379;

    public RedisSettings {
        Checks.of()
                .fit(
                        !cluster || sentinel == null,
                        new Checks.Fault("cluster", cluster, "false beside redis.sentinel"),
                        new Checks.Fault("sentinel", "a master", "null beside redis.cluster: true"))
                .done();
    }

    /** Sentinels of one master. */
    public record Sentinel(
            @Key(description = "Name of the master, as in `sentinel monitor NAME`.", example = "mymaster")
            String master,

            @Key(
                    description = "Addresses of Sentinels; one that responds is enough. They use TLS if the URI does.",
                    example = "[\"127.0.0.1:26379\"]")
            List<HostPort> nodes) {

        public Sentinel {
            nodes = List.copyOf(nodes);
            Checks.of()
                    .name("master", master)
                    .that(!nodes.isEmpty(), "nodes", nodes, "at least one")
                    .that(nodes.stream().allMatch(HostPort::connectable), "nodes", nodes, "hosts with ports above 0")
                    .done();
        }
    }

    /** Certificates of connections with TLS. */
    public record Tls(
            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description = "PEM file of trusted authorities; default: those of Java.")
            @Nullable
            String caFile,

            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description =
                            "PEM file of the gateway's own certificate chain, for servers that request one, leaf first.")
            @Nullable
            String certificateFile,

            @Key(
                    defaultValue = "null",
                    file = FileKind.SECRET,
                    description = "PEM file of its key (PKCS#8, PKCS#1 or SEC 1), without a password.")
            @Nullable
            String privateKeyFile) {

        public Tls {
            Checks.of().pair(certificateFile, privateKeyFile).done();
        }
    }

    /**
     * Returns a copy with another URI.
     *
     * @param file the file that the URI was read from, or null
     */
    public RedisSettings with(String other, @Nullable String file) {
        return new RedisSettings(other, file, cluster, sentinel, deadline, tls);
    }

    /** Returns the index of the character after host and port. */
    private static int end(String address) {
        int index = address.indexOf("://") + "://".length();
        while (index < address.length() && address.charAt(index) != '/' && address.charAt(index) != '?') {
            index++;
        }
        return index;
    }

    /**
     * Returns host and port, or the master of the Sentinels, for messages.
     *
     * @param address the URI of the server without user and password
     */
    public String name(String address) {
        Sentinel those = sentinel;
        if (those != null) {
            return "master " + those.master;
        }
        String server = address.substring(address.indexOf("://") + "://".length(), end(address));
        boolean port = server.lastIndexOf(':') > server.lastIndexOf(']');
        // As a Cluster announces an IPv6 address: without brackets.
        return (port ? server : server + ":" + DEFAULT_PORT).replace("[", "").replace("]", "");
    }

    @Override
    public String toString() {
        return "redis"; // the URI may hold a password
    }
}
