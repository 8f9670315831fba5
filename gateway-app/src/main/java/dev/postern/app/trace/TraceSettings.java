package dev.postern.app.trace;

/**
 * Settings of traces.
 *
 * @param collector receives the spans
 * @param sample share of traced exchanges among those without a sampling decision, 0..1
 * @param accept clients whose sampling decision is accepted
 * @param service name of this gateway in traces
 */
public record TraceSettings(Collector collector, double sample, Accept accept, String service) {

    /** Clients whose trace context is continued. */
    public enum Accept {
        TRUSTED,
        ALL,
        NONE
    }
}
