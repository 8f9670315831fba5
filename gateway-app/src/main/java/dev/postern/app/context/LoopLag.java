package dev.postern.app.context;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/**
 * Whether an event loop is kept from its work: then all its clients wait, whatever they ask for. Two looks should be so far apart that they
 * don't see the same moment.
 */
public final class LoopLag implements ContextSource {

    private static final double LATE = 0.1;

    private final DoubleSupplier seconds;
    private final Debounce debounce = new Debounce();

    /** @param seconds that a task waited for any loop, at most in the last seconds */
    public LoopLag(DoubleSupplier seconds) {
        this.seconds = seconds;
    }

    @Override
    public List<ContextItem> items() {
        double now = seconds.getAsDouble();
        boolean late = debounce.after(now > LATE);
        return List.of(
                ContextItem.state(
                        "event-loops.lag-ms",
                        "at most " + Math.round(LATE * 1e3),
                        String.format(Locale.ROOT, "%.0f", now * 1e3),
                        !late,
                        "Something keeps an event loop: /flamegraph?event=wall shows it; else the machine has too little processor time."));
    }
}
