package dev.postern.load.run;

import dev.postern.load.measure.MetricsPage;
import java.util.EnumMap;
import java.util.Map;

/**
 * Sample of a gateway.
 *
 * @param seconds since the start of the sampler
 * @param figures that are known
 */
public record Sample(double seconds, Map<Figure, Double> figures) {
    static Sample of(double seconds, MetricsPage page, long pid) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            double value = figure.read(page, pid);
            if (!Double.isNaN(value)) {
                figures.put(figure, value);
            }
        }
        return new Sample(seconds, figures);
    }

    /** Returns the open descriptors without those of connections to clients and upstreams, whose number follows the load. */
    public double descriptorsWithoutConnections() {
        return of(Figure.DESCRIPTORS) - of(Figure.CLIENT_CONNECTIONS) - of(Figure.UPSTREAM_CONNECTIONS);
    }

    /** Returns a figure; NaN if it is unknown. */
    public double of(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }
}
