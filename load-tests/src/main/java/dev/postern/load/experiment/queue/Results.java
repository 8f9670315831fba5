package dev.postern.load.experiment.queue;

import java.util.List;

/**
 * Results of the experiment.
 *
 * @param impatient requests of clients that never wait, at each variant
 * @param polite requests of clients that wait as told, at each queue
 * @param pages of browsers, at each variant
 * @param admissions of visitors in a known order, at each queue
 * @param sessions of each trial at a queue
 */
record Results(
        List<Served> impatient,
        List<Served> polite,
        List<PageCount> pages,
        List<Admissions> admissions,
        List<Sessions> sessions) {

    /** Returns the sessions of the trial in that room. */
    Sessions sessions(Room room) {
        return sessions.stream()
                .filter(seen -> seen.room().equals(room))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(room.name() + ": no sessions (expected: a trial)"));
    }
}
