package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * Configuration as read, with its problems.
 *
 * @param config only usable without problems: defaults replace wrong values in it
 * @param problems which must be fixed, in the order of their places
 * @param warnings about valid but dangerous values
 * @param effective every value with its origin
 * @param base the directory that relative file names start from
 */
public record LoadedConfig(
        GatewayConfig config, List<Problem> problems, List<Problem> warnings, List<Effective> effective, Path base) {

    /**
     * Effective value of one key.
     *
     * @param key dotted
     * @param value as text, masked if secret
     */
    public record Effective(String key, String value, Provenance provenance) {}

    /** Returns the origin of the value of the key, or of the nearest value below or around it. */
    public Provenance origin(String key) {
        for (String place = key; !place.isEmpty(); place = place.substring(0, Math.max(0, place.lastIndexOf('.')))) {
            for (Effective one : effective) {
                if (one.key().equals(place) || one.key().startsWith(place + ".")) {
                    return one.provenance();
                }
            }
        }
        return Provenance.DEFAULT;
    }

    public boolean good() {
        return problems.isEmpty();
    }
}
