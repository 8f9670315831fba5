package dev.postern.app.trace;

/**
 * What is traced, and who is told.
 *
 * @param collector where spans go
 * @param sample share of the exchanges that are traced where nobody has decided it before, 0..1
 * @param accept whose decision is followed
 * @param service what this gateway is called
 */
public record TraceSettings(Collector collector, double sample, Accept accept, String service) {

    /** Whose trace context is continued. */
    public enum Accept {
        TRUSTED,
        ALL,
        NONE
    }
}
