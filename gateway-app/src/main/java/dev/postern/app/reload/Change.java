package dev.postern.app.reload;

/**
 * Change of one key between two configurations.
 *
 * @param key dotted, with list elements by name: {@code upstreams.app.endpoints}
 * @param location dotted, with list elements by their index in the newer configuration; for a removed element, its former place or its list
 * @param restart whether the change needs a restart
 */
record Change(Kind kind, String key, String location, boolean restart) {

    /** Kind of the change. */
    public enum Kind {
        CHANGED,
        ADDED,
        REMOVED
    }

    @Override
    public String toString() {
        return switch (kind) {
            case CHANGED -> key;
            case ADDED -> "+" + key;
            case REMOVED -> "-" + key;
        };
    }
}
