package dev.postern.app.context;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/**
 * Lag of the event loops: a blocked event loop delays all its clients. The interval between two observations should exceed the time that
 * the lag is remembered, so that both do not see the same event.
 */
final class LoopLag implements ContextSource {

    private static final double LATE = 0.1;

    private final DoubleSupplier seconds;
    private final Debounce debounce = new Debounce();

    /** @param seconds returns the maximum wait of a task for any event loop in the last seconds */
    LoopLag(DoubleSupplier seconds) {
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
                        "A task blocks an event loop: POST /flamegraph?event=wall shows it; else the machine has too little processor time."));
    }
}
