package dev.postern.load.measure;

/** Goal of a figure: an upper or a lower bound. */
public record Goal(Kind kind, double bound) {
    /** Kind of the bound. */
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

    /** Returns whether the value meets the goal; NaN (nothing was measured) meets no goal. */
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
