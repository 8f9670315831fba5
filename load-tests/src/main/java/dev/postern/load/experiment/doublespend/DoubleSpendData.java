package dev.postern.load.experiment.doublespend;

import dev.postern.load.worker.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values behind table and charts, for the JSON file. */
final class DoubleSpendData {
    private DoubleSpendData() {}

    /** Turn of one variant; times in microseconds. */
    private record CheckFigures(
            int rate,
            String variant,
            long checks,
            int failed,
            double p50,
            double p99,
            double waitP50,
            double segmentsEach) {}

    /** Turn of one gateway; times in microseconds. */
    private record GatewayFigures(
            int rate,
            String client,
            int requests,
            int failed,
            long timed,
            double p50,
            double p99,
            double outsideP50,
            double outsideP99,
            double segmentsEach) {}

    static Map<String, Object> of(Results results) {
        List<CheckFigures> checks = new ArrayList<>();
        List<GatewayFigures> gateways = new ArrayList<>();
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

    private static CheckFigures figures(int rate, Variant variant, Checks turn) {
        return new CheckFigures(
                rate,
                variant.label(),
                turn.times().getTotalCount(),
                turn.failed(),
                Checks.micros(turn.times(), 50),
                Checks.micros(turn.times(), 99),
                Checks.micros(turn.waits(), 50),
                turn.segmentsEach());
    }

    private static GatewayFigures figures(int rate, String client, GatewayTurn turn) {
        return new GatewayFigures(
                rate,
                client,
                turn.outside().calls(),
                turn.outside().failed(),
                turn.timer().count(),
                turn.timer().micros(50),
                turn.timer().micros(99),
                turn.outside().dueP50(),
                turn.outside().dueP99(),
                turn.segmentsEach());
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
