package dev.postern.load.experiment.keepalive;

import dev.postern.load.proxies.Rounds;
import java.util.List;
import java.util.Map;

/**
 * Measured values of a run.
 *
 * @param missing reasons why a variant was not measured, by its name
 * @param reuse of the gateways in the rounds, by the variant's name
 * @param flames stacks of the gateways without and with keep-alive, by the variant's name
 */
record Measured(Rounds rounds, Map<String, String> missing, Map<String, Reuse> reuse, Map<String, FlameStacks> flames) {
    /** Returns the names of the variants that were measured. */
    List<String> names() {
        return Variant.ALL.stream()
                .map(Variant::name)
                .filter(name -> !missing.containsKey(name))
                .toList();
    }
}
