package dev.postern.load.measure;

/** A bound that a figure has to keep. */
public record Goal(Kind kind, double bound) {
    /** Which side of the bound is the good one. */
    public enum Kind {
        AT_MOST("<="),
        LESS_THAN("<"),
        AT_LEAST(">=");

        private final String sign;

        Kind(String sign) {
            this.sign = sign;
        }
    }

    public static Goal atMost(double bound) {
        return new Goal(Kind.AT_MOST, bound);
    }

    public static Goal lessThan(double bound) {
        return new Goal(Kind.LESS_THAN, bound);
    }

    public static Goal atLeast(double bound) {
        return new Goal(Kind.AT_LEAST, bound);
    }

    /** A figure that is no number (nothing was measured) meets no goal. */
    public boolean met(double value) {
        return switch (kind) {
            case AT_MOST -> value <= bound;
            case LESS_THAN -> value < bound;
            case AT_LEAST -> value >= bound;
        };
    }

    @Override
    public String toString() {
        return kind.sign + " " + Spread.number(bound);
    }
}
