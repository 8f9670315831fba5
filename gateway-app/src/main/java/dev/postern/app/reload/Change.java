package dev.postern.app.reload;

/**
 * One key in which two configurations differ.
 *
 * @param key dotted, elements of lists by their names: {@code upstreams.app.endpoints}
 * @param place the same with indexes, where it stands in the newer one; of what is gone, where it stood last
 * @param restart whether the process must start anew to follow it
 */
public record Change(Kind kind, String key, String place, boolean restart) {

    /** What became of the value. */
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
