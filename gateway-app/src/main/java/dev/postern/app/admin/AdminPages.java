package dev.postern.app.admin;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the admin address shows; all are called by admin threads.
 *
 * @param live whether every event loop runs tasks; may take a second
 * @param started whether start is over
 * @param draining whether the process is going down
 * @param shedding of what there is too little, so that load is shed; empty when there is enough
 * @param health parts by name; a sick one fails readiness only when {@code required} says so
 * @param required names of parts that readiness depends on
 * @param metrics the scrape for an Accept field's value: content type and text
 * @param documents JSON documents by path, such as {@code /context}
 * @param changes what may be changed, by method and first word of the path, such as {@code DELETE /keys}
 */
public record AdminPages(
        BooleanSupplier live,
        BooleanSupplier started,
        BooleanSupplier draining,
        Supplier<String> shedding,
        Map<String, Health.Source> health,
        java.util.Set<String> required,
        java.util.function.Function<String, Scrape> metrics,
        Map<String, Supplier<?>> documents,
        Map<String, Change> changes) {

    /** Something that an operator may change who has the token. */
    @FunctionalInterface
    public interface Change {

        /**
         * @param words the rest of the path, decoded
         * @param body of the request, empty for none
         */
        Changed apply(List<String> words, String body);
    }

    /** What became of it: a status and what to tell as JSON. */
    public record Changed(int status, Object told) {}

    /** Whether traffic should come here. */
    boolean ready() {
        return started.getAsBoolean()
                && !draining.getAsBoolean()
                && shedding.get().isEmpty()
                && health.entrySet().stream()
                        .allMatch(part -> !required.contains(part.getKey())
                                || part.getValue().health().healthy());
    }

    /** A scrape as it goes over the wire. */
    public record Scrape(String contentType, String text) {}
}
