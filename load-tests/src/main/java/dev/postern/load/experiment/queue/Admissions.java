package dev.postern.load.experiment.queue;

import dev.postern.load.crowd.Arrivals;
import dev.postern.load.crowd.Stretches;
import dev.postern.load.crowd.Stretches.Stretch;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.correlation.KendallsCorrelation;

/**
 * Admissions of visitors that arrived in a known order.
 *
 * @param order numbers of the visitors in the order of their admission; numbers are given in the order of arrival
 * @param visitors that arrived
 */
record Admissions(Variant variant, List<Integer> order, int visitors) {
    /** Returns the order in which the origin saw the first request of each visitor. */
    static Admissions of(Variant variant, Stretches stretches, int visitors) {
        List<Integer> order = stretches.all().stream()
                .map(Stretch::session)
                .distinct()
                .map(Arrivals::number)
                .toList();
        return new Admissions(variant, order, visitors);
    }

    /** Returns Kendall's tau between arrival and admission: 1 for the same order, -1 for the reverse one. */
    double tau() {
        if (order.size() < 2) {
            return Double.NaN;
        }
        double[] rank = IntStream.range(0, order.size()).asDoubleStream().toArray();
        double[] arrival = order.stream().mapToDouble(Integer::doubleValue).toArray();
        return new KendallsCorrelation().correlation(rank, arrival);
    }

    /** Returns the maximum number of later visitors that were admitted before a visitor. */
    int overtakers() {
        int worst = 0;
        for (int i = 0; i < order.size(); i++) {
            int number = order.get(i);
            int before = (int) order.subList(0, i).stream()
                    .filter(earlier -> earlier > number)
                    .count();
            worst = Math.max(worst, before);
        }
        return worst;
    }
}
