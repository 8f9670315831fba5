package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Key;
import io.netty.util.NetUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the process talks to the kernel. */
public record TransportConfig(
        @Key(
                or = "auto",
                says = "`auto` takes epoll where its native library loads, else nio; `io-uring` where it is asked for.")
        Kind kind,

        @Key(or = "0", says = "Event loops; 0 means one per core.")
        int eventLoops,

        @Key(or = "true", says = "TCP_NODELAY: no segment waits for the acknowledgement of the one before.")
        boolean tcpNoDelay,

        @Key(
                or = "bbr",
                says = "The kernel's congestion control, set on each socket and read back; `system` leaves its"
                        + " default.")
        String congestionControl,

        @Key(or = "auto", says = "Where buffers come from; `auto` is Netty's choice.")
        Allocator allocator,

        @Key(or = "[]", says = "Name servers (DNS) by address, `host:port`; the system's when there are none here.")
        List<HostPort> nameServers) {

    public TransportConfig {
        nameServers = List.copyOf(nameServers);
        Checks checks = Checks.of().between("event-loops", eventLoops, 0, 1024);
        checkCongestionControl(checks, congestionControl);
        for (int i = 0; i < nameServers.size(); i++) {
            HostPort server = nameServers.get(i);
            boolean literal = NetUtil.createByteArrayFromIpAddressString(server.host()) != null;
            boolean good = literal && server.connectable();
            checks.that(good, "name-servers." + i, server, "an address and its port, such as 127.0.0.1:53");
        }
        checks.done();
    }

    static void checkCongestionControl(Checks checks, @Nullable String name) {
        checks.that(
                name == null || name.matches("[a-z0-9_-]{1,15}"),
                "congestion-control",
                name + "",
                "system, or the kernel's name such as bbr, cubic or reno");
    }

    /** The kernel's interface. */
    public enum Kind {
        AUTO,
        EPOLL,
        NIO,
        IO_URING
    }

    /** Netty's allocators. */
    public enum Allocator {
        AUTO,
        ADAPTIVE,
        POOLED
    }
}
