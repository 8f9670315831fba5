package dev.postern.load.experiment.doublespend;

import dev.postern.load.worker.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values behind table and charts, for the JSON file; times in microseconds. */
final class DoubleSpendData {
    private DoubleSpendData() {}

    static Map<String, Object> of(Results results) {
        List<Map<String, Object>> checks = new ArrayList<>();
        List<Map<String, Object>> gateways = new ArrayList<>();
        Map<String, Map<String, Distribution>> distributions = new LinkedHashMap<>();
        results.rounds().forEach((rate, rounds) -> {
            for (Round round : rounds) {
                round.variants().forEach((variant, turn) -> checks.add(figures(rate, variant, turn)));
                round.gateways().forEach((client, turn) -> gateways.add(figures(rate, client, turn)));
            }
            distributions.put(rate + "/s", distributions(rounds));
        });
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("checks", checks);
        values.put("gateways", gateways);
        values.put("distributions", distributions);
        return values;
    }

    private static Map<String, Object> figures(int rate, Variant variant, Checks turn) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rate", rate);
        figures.put("variant", variant.label());
        figures.put("checks", turn.times().getTotalCount());
        figures.put("failed", turn.failed());
        figures.put("p50", Checks.micros(turn.times(), 50));
        figures.put("p99", Checks.micros(turn.times(), 99));
        figures.put("waitP50", Checks.micros(turn.waits(), 50));
        figures.put("segmentsEach", turn.segmentsEach());
        return figures;
    }

    private static Map<String, Object> figures(int rate, String client, GatewayTurn turn) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rate", rate);
        figures.put("client", client);
        figures.put("requests", turn.outside().calls());
        figures.put("failed", turn.outside().failed());
        figures.put("timed", turn.timer().count());
        figures.put("p50", turn.timer().micros(50));
        figures.put("p99", turn.timer().micros(99));
        figures.put("outsideP50", turn.outside().dueP50());
        figures.put("outsideP99", turn.outside().dueP99());
        figures.put("segmentsEach", turn.segmentsEach());
        return figures;
    }

    private static Map<String, Distribution> distributions(List<Round> rounds) {
        Map<String, Distribution> distributions = new LinkedHashMap<>();
        for (Variant variant : Variant.values()) {
            distributions.put(variant.label(), Distribution.of(rounds, variant));
        }
        for (String client : Results.CLIENTS) {
            distributions.put("gateway, " + client, Distribution.of(rounds, client));
        }
        return distributions;
    }
}
