package dev.postern.load.server;

import java.util.ArrayList;
import java.util.List;

/** Cores that a process may use: the measured process has a core for itself, all others share another one. */
public enum Cores {
    /** The core of the process that is measured. */
    MEASURED(1),
    /** The core of driver, upstream and stores. */
    LOAD(0),
    /** Any core. */
    ANY(-1);

    private final int core;

    Cores(int core) {
        this.core = core;
    }

    /** Returns the command, pinned to the core; unpinned on a machine with one core. */
    public List<String> pin(List<String> command) {
        if (core < 0 || Runtime.getRuntime().availableProcessors() < 2) {
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", String.valueOf(core)));
        pinned.addAll(command);
        return pinned;
    }
}
