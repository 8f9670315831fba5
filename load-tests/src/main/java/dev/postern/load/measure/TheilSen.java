package dev.postern.load.measure;

import java.util.Arrays;

/**
 * Slope by Theil and Sen: the median of the slopes between all pairs of points. A point in three may be wrong without effect, where one wrong
 * point at the end of a series bends the line of least squares.
 *
 * <p>Source: P. K. Sen, Estimates of the Regression Coefficient Based on Kendall's Tau, Journal of the American Statistical Association 63
 * (1968).
 */
public final class TheilSen {
    private TheilSen() {}

    /**
     * Returns the slope in units of {@code y} by unit of {@code x}; NaN for fewer than two points.
     *
     * @param x rising strictly
     * @param y NaN: the point is missing
     */
    public static double slope(double[] x, double[] y) {
        double[] slopes = new double[x.length * (x.length - 1) / 2];
        int count = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = i + 1; j < x.length; j++) {
                double slope = (y[j] - y[i]) / (x[j] - x[i]);
                if (!Double.isNaN(slope)) {
                    slopes[count++] = slope;
                }
            }
        }
        return count == 0 ? Double.NaN : Spread.of(Arrays.copyOf(slopes, count)).median();
    }
}
