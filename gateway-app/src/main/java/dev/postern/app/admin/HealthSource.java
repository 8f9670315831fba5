package dev.postern.app.admin;

import java.util.Map;

/**
 * Health of one component, for {@code /readyz}.
 *
 * @param healthy whether the component works
 * @param details for operators, in reading order
 */
public record HealthSource(boolean healthy, Map<String, ?> details) {

    /** Source of a component's health; called by an admin thread or an event loop, must not block. */
    @FunctionalInterface
    public interface Source {

        HealthSource source();
    }
}
