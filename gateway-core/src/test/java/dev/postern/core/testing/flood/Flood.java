package dev.postern.core.testing.flood;

import java.io.IOException;

/**
 * Attack that costs the gateway more than the attacker.
 *
 * @param attackers concurrent connections
 * @param counted the prefix of the line of the gateway's metrics that counts it
 */
public record Flood(String name, int attackers, String counted, Attack attack) {

    /** Attacks over one connection; ends when the gateway has closed it. */
    @FunctionalInterface
    public interface Attack {

        void once(int port) throws IOException;
    }

    @Override
    public String toString() {
        return name;
    }
}
