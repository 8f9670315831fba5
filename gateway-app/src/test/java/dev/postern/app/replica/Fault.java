package dev.postern.app.replica;

/** Faults of one server of a store, and their end. */
enum Fault {
    KILLED {
        @Override
        void strike(RacedStore store) {
            store.victim().kill();
        }

        @Override
        void end(RacedStore store) {
            store.victim().start();
        }
    },

    FROZEN {
        @Override
        void strike(RacedStore store) {
            store.victim().freeze();
        }

        @Override
        void end(RacedStore store) {
            store.victim().thaw();
        }
    },

    RESTARTED_EMPTY {
        @Override
        void strike(RacedStore store) {
            store.victim().restartEmpty();
        }

        @Override
        void end(RacedStore store) {}
    },

    FILLED_THREE_TIMES {
        @Override
        void strike(RacedStore store) {
            store.fill();
        }

        @Override
        void end(RacedStore store) {
            store.clear();
        }
    };

    abstract void strike(RacedStore store);

    abstract void end(RacedStore store);

    /** Returns whether the fault lasts until {@link #end}. */
    boolean lasts() {
        return this != RESTARTED_EMPTY;
    }

    /** Returns whether connections are lost, or considered lost. */
    boolean disconnects() {
        return this != FILLED_THREE_TIMES;
    }
}
