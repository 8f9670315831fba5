package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * Loaded configuration with its findings.
 *
 * @param config to be used only if there are no problems: invalid values are replaced by defaults; its file names are resolved
 * @param problems invalid values, in the order of their places
 * @param warnings valid but dangerous values
 * @param effective every value with its origin
 * @param sources the files that it was read from
 */
public record LoadedConfig(
        GatewayConfig config,
        List<Problem> problems,
        List<Problem> warnings,
        List<Effective> effective,
        SourceFiles sources) {

    /**
     * Effective value of a key.
     *
     * @param key dotted
     * @param value as text; secrets are masked
     */
    public record Effective(String key, String value, Provenance provenance) {}

    /** Returns the origin of the value of that key, else of a value below, else of a parent. */
    public Provenance origin(String key) {
        for (String location = key;
                !location.isEmpty();
                location = location.substring(0, Math.max(0, location.lastIndexOf('.')))) {
            for (Effective one : effective) {
                if (one.key().equals(location) || one.key().startsWith(location + ".")) {
                    return one.provenance();
                }
            }
        }
        return Provenance.DEFAULT;
    }

    /** Returns a copy whose warnings are problems. */
    public LoadedConfig strict() {
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(warnings);
        all.sort(Problem.ORDER);
        return new LoadedConfig(config, List.copyOf(all), List.of(), effective, sources);
    }

    public boolean good() {
        return problems.isEmpty();
    }
}
