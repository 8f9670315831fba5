package dev.postern.core.testing.flood;

import java.io.IOException;

/**
 * One way to cost a gateway more than oneself.
 *
 * @param attackers connections that do it at once
 * @param counted the beginning of the line of the gateway's meters that counts it
 */
public record Flood(String name, int attackers, String counted, Attack attack) {

    /** One connection's part, which ends when the gateway has ended it. */
    @FunctionalInterface
    public interface Attack {

        void once(int port) throws IOException;
    }

    @Override
    public String toString() {
        return name;
    }
}
