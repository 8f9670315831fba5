package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration as it was read.
 *
 * @param config only to be used when there are no problems: mistakes stand as defaults in it
 * @param problems what must be mended, in the order of their places
 * @param warnings what is legal but dangerous
 * @param effective every value with its origin
 * @param base the directory that relative file names start from
 */
public record LoadedConfig(
        GatewayConfig config, List<Problem> problems, List<Problem> warnings, List<Effective> effective, Path base) {

    /**
     * One value in force.
     *
     * @param key dotted
     * @param value as text, masked where it is a secret
     */
    public record Effective(String key, String value, Provenance provenance) {}

    /** Where the value of that key comes from, or something below it, or around it. */
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
