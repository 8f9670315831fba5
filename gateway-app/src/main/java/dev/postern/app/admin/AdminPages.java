package dev.postern.app.admin;

import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the admin address shows; all are called by admin threads.
 *
 * @param live whether every event loop runs tasks; may take a second
 * @param started whether start is over
 * @param draining whether the process is going down
 * @param health parts by name; a sick one fails readiness only when {@code required} says so
 * @param required names of parts that readiness depends on
 * @param metrics the scrape for an Accept field's value: content type and text
 * @param documents JSON documents by path, such as {@code /context}
 */
public record AdminPages(
        BooleanSupplier live,
        BooleanSupplier started,
        BooleanSupplier draining,
        Map<String, Health.Source> health,
        java.util.Set<String> required,
        java.util.function.Function<String, Scrape> metrics,
        Map<String, Supplier<?>> documents) {

    /** A scrape as it goes over the wire. */
    public record Scrape(String contentType, String text) {}
}
