package dev.postern.load.proxies;

/** A part of the table that can be run by itself; it starts and stops all that it needs. */
interface Part {
    /** For {@code --only}. */
    String name();

    /** Above its table, and its bars. */
    String title();

    void measure(Pace pace, Report report);
}
