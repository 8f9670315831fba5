package dev.postern.load.proxies;

/** A part of the table that can be run by itself; it starts and stops all that it needs. */
interface Part {
    /** For {@code --only}. */
    String name();

    /** At the head of its rows. */
    String title();

    void measure(Pace pace, Report report);
}
