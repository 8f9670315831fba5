package dev.postern.load.proxies;

import dev.postern.load.measure.Table;

/** Part of the table that can run alone; a part starts and stops all processes that it needs. */
public interface Part {
    /** Returns the name for {@code --only}. */
    String name();

    /** Returns the title of the part's table. */
    String title();

    void measure(Pace pace, Table table);
}
