package dev.postern.app.demo;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/** Ports of the demo on loopback: the usual ones where they are free, any free ones, or consecutive ones from a base. */
public final class DemoPorts {

    /** Highest base. */
    public static final int MAX_BASE = 65_536 - Part.values().length;

    /** Part of the demo that listens, and its usual port; 0 for any. */
    enum Part {
        WEB(8080),
        FORWARD(8443),
        ADMIN(9180),
        SITE(9000),
        ISSUER(9300),
        ECHO(0),
        QUESTIONS(9190),
        PROXY(8088);

        private final int usual;

        Part(int usual) {
            this.usual = usual;
        }
    }

    private final ToIntFunction<Part> ports;

    private DemoPorts(ToIntFunction<Part> ports) {
        this.ports = ports;
    }

    /** Returns the usual ports, and free ones in place of those in use. */
    public static DemoPorts usual() {
        return new DemoPorts(part -> free(part.usual) ? part.usual : 0);
    }

    /** Returns ports that are free when their parts start. */
    public static DemoPorts any() {
        return new DemoPorts(part -> 0);
    }

    /**
     * Returns the base and the ports that follow it.
     *
     * @throws BindException if one of them is in use
     */
    public static DemoPorts from(int base) throws BindException {
        List<Integer> used = Arrays.stream(Part.values())
                .map(part -> base + part.ordinal())
                .filter(port -> !free(port))
                .toList();
        if (!used.isEmpty()) {
            throw new BindException(
                    "in use: " + used + " (expected: " + base + " to " + (base + Part.values().length - 1) + " free)");
        }
        return new DemoPorts(part -> base + part.ordinal());
    }

    InetSocketAddress of(Part part) {
        return new InetSocketAddress("127.0.0.1", ports.applyAsInt(part));
    }

    private static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
