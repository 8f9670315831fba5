package dev.postern.load.plot;

import dev.postern.load.measure.Goal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Ratio plot: horizontal bars with 95 % intervals, a line at the ratio 1, and a mark at each goal. */
public final class RatioPlot {
    private static final int WIDTH = 920;
    private static final int TOP = 78;
    private static final int LINE = 24;
    private static final int BAR = 12;
    /** Left edge of the bars, and length of the scale. */
    private static final int LEFT = 250;

    private static final int SCALE = 400;
    /** Distances between two marks of the scale; the first one that gives few enough marks is used. */
    private static final double[] STEPS = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};

    private static final int MAX_MARKS = 9;

    private static final String FRAME = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img"
                 font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12" fill="#24292f">
              <title>%3$s</title>
              <rect width="%1$d" height="%2$d" fill="#ffffff"/>
              <text x="20" y="30" font-size="16" font-weight="600">%3$s</text>
              <text x="20" y="50" fill="#57606a">%4$s</text>
            %5$s</svg>
            """;
    private static final String GROUP = """
              <text x="20" y="%d" font-weight="600">%s</text>
            """;
    private static final String RATIO = """
              <text x="%1$d" y="%2$d" text-anchor="end">%3$s</text>
              <rect x="%4$d" y="%5$d" width="%6$.1f" height="%7$d" fill="%8$s"/>
              <path d="M%9$.1f %10$dH%11$.1fM%9$.1f %12$dv8M%11$.1f %12$dv8" stroke="#24292f" fill="none"/>
              <text x="%13$d" y="%2$d">%14$s</text>
            """;
    private static final String MARK = """
              <path d="M%.1f %dv20" stroke="#24292f" stroke-width="2" stroke-dasharray="3 2"/>
            """;
    private static final String TICK = """
              <path d="M%1$.1f %2$dV%3$d" stroke="%4$s"/>
              <text x="%1$.1f" y="%5$d" text-anchor="middle" fill="#57606a">%6$.1f</text>
            """;

    private final String title;
    private final String subtitle;
    private final List<Bar> bars;
    private final double step;
    private final double max;

    private RatioPlot(String title, String subtitle, List<Bar> bars) {
        this.title = title;
        this.subtitle = subtitle;
        this.bars = bars;
        double longest = bars.stream()
                .mapToDouble(bar -> Math.max(bar.ratio().high(), bound(bar.goal())))
                .reduce(1, Math::max);
        step = Arrays.stream(STEPS)
                .filter(candidate -> longest / candidate <= MAX_MARKS)
                .findFirst()
                .orElse(longest);
        max = Math.ceil(longest / step) * step;
    }

    /** Returns the plot as SVG; bars keep their order, and the name of a group precedes its first bar. */
    public static String svg(String title, String subtitle, List<Bar> bars) {
        return new RatioPlot(title, subtitle, bars).draw();
    }

    private String draw() {
        StringBuilder rows = new StringBuilder();
        int y = TOP;
        String group = "";
        for (Bar bar : bars) {
            if (!bar.group().equals(group)) {
                group = bar.group();
                y += LINE;
                rows.append(format(GROUP, y, escape(group)));
            }
            y += LINE;
            rows.append(row(bar, y));
        }
        int end = y + LINE / 2;
        return format(FRAME, WIDTH, end + 2 * LINE, escape(title), escape(subtitle), scale(end) + rows);
    }

    private String row(Bar bar, int y) {
        int middle = y - 4;
        String row = format(
                RATIO,
                LEFT - 10,
                y,
                escape(bar.label()),
                LEFT,
                middle - BAR / 2,
                length(bar.ratio().median()),
                BAR,
                colour(bar),
                LEFT + length(bar.ratio().low()),
                middle,
                LEFT + length(bar.ratio().high()),
                middle - 4,
                LEFT + SCALE + 16,
                escape(words(bar)));
        Goal goal = bar.goal();
        return goal == null ? row : row + format(MARK, LEFT + length(goal.bound()), middle - 10);
    }

    private static String words(Bar bar) {
        return bar.goal() == null ? bar.ratio().toString() : bar.ratio() + "  " + bar.goal() + "  " + bar.verdict();
    }

    /**
     * Returns the colour; the verdict is also written behind the bar, so that no information depends on colour alone.
     */
    private static String colour(Bar bar) {
        return switch (bar.verdict()) {
            case "MET" -> "#7fb3a2";
            case "MISSED" -> "#e0957b";
            default -> "#b8c4d0";
        };
    }

    private String scale(int end) {
        StringBuilder ticks = new StringBuilder();
        for (int i = 0; i * step <= max + step / 2; i++) {
            double position = i * step;
            String colour = Math.abs(position - 1) < step / 10 ? "#57606a" : "#e6e9ed";
            ticks.append(format(TICK, LEFT + length(position), TOP, end, colour, end + LINE - 6, position));
        }
        return ticks.toString();
    }

    private double length(double ratio) {
        return ratio / max * SCALE;
    }

    private static double bound(@Nullable Goal goal) {
        return goal == null ? 0 : goal.bound();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String format(String template, Object... values) {
        return String.format(Locale.ROOT, template, values);
    }
}
