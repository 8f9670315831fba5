package dev.postern.load.server;

/** Ports on loopback that are free. */
public final class Ports {
    private Ports() {}

    /** Returns a TCP port on which no process listens, and which is given to no other caller while this JVM runs. */
    public static int free() {
        return dev.postern.core.testing.ServerProcess.freePort();
    }
}
