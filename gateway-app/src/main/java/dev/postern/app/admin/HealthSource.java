package dev.postern.app.admin;

import java.util.Map;

/**
 * How one part of the process fares, for {@code /readyz}.
 *
 * @param healthy whether it works as it should
 * @param details what an operator wants to know, in reading order
 */
public record HealthSource(boolean healthy, Map<String, ?> details) {

    /** A part that can tell how it fares; called by an admin thread, must not block. */
    @FunctionalInterface
    public interface Source {

        HealthSource source();
    }
}
