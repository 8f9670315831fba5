package dev.postern.core.exchange;

/**
 * Note of what a page of the gateway shows, so that another exchange can render the page again without a new decision.
 *
 * @param renderer path of the internal endpoint that renders it, or {@link #EXTENSION}
 * @param text what the renderer needs; less than 1 KiB
 */
public record PageNote(String renderer, String text) {

    /** Renderer of the refusals of extensions: code, line end, detail. */
    public static final String EXTENSION = "extension";

    /** Key of the note about the local reply of an exchange; empty where the refusal's code says all. */
    public static final ExchangeKey<PageNote> KEY = ExchangeKey.of("page note");
}
