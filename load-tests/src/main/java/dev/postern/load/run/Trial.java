package dev.postern.load.run;

/** Trial of one crowd at one rule: its requests, and its rows in the table afterwards. */
interface Trial {
    /** Returns the title for the progress output. */
    String title();

    void run();

    /** Returns the progress so far. */
    String progress();

    /** Adds the rows of the trial to the table, after the trial ran. */
    void addTo(RoomTable table);
}
