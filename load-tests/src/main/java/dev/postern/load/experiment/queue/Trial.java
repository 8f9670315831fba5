package dev.postern.load.experiment.queue;

import dev.postern.load.origin.Stretches;

/** Trial: one crowd that visits one room. */
interface Trial {
    Room room();

    void run();

    /** Returns the progress so far. */
    String progress();

    /** Returns the sessions that the origin saw. */
    static Sessions sessions(FairQueueSite site, Trial trial) {
        Room room = trial.room();
        Stretches stretches = site.front(room.variant()).origin().sessions(room.name());
        site.folder().write(room.name() + "-sessions.txt", stretches.text());
        return new Sessions(room, stretches);
    }
}
