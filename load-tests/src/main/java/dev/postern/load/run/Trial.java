package dev.postern.load.run;

/** One crowd at one rule: what it does, and what the table says about it afterwards. */
interface Trial {
    /** How the run's progress calls it. */
    String title();

    void run();

    /** How far it is. */
    String progress();

    /** Adds its rows, after it ran. */
    void tell(RoomTable table);
}
