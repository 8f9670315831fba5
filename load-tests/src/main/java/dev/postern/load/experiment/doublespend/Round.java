package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.Known;
import dev.postern.load.measure.Spread;
import dev.postern.load.worker.Checks;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Round at one rate: each variant and each gateway once.
 *
 * @param gateways by the client of memcached that they use
 */
record Round(Map<Variant, Checks> variants, Map<String, GatewayTurn> gateways) {
    Checks of(Variant variant) {
        return Known.in(variants, "turn", variant);
    }

    GatewayTurn of(String client) {
        return Known.in(gateways, "turn", client);
    }

    /** Returns the median time of the checks of a variant, in microseconds. */
    double micros(Variant variant) {
        return Checks.micros(of(variant).times(), 50);
    }

    /** Returns the median times for a progress line. */
    String line() {
        String each = variants.keySet().stream()
                .map(variant -> variant.label() + " " + Spread.number(micros(variant)))
                .collect(Collectors.joining("; "));
        return each
                + gateways.entrySet().stream()
                        .map(turn -> "; gateway, %s %s (outside %s)"
                                .formatted(
                                        turn.getKey(),
                                        Spread.number(turn.getValue().timer().micros(50)),
                                        Spread.number(turn.getValue().outside().dueP50())))
                        .collect(Collectors.joining())
                + " us";
    }
}
