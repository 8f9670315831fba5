package dev.postern.app.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Event that a profile samples. */
public enum ProfileEvent {
    CPU("samples", "Time on a processor"),
    ALLOC("bytes", "Allocated memory"),
    WALL("samples", "Time, waiting included"),
    LOCK("ns", "Time waiting for locks");

    private final String unit;
    private final String about;

    ProfileEvent(String unit, String about) {
        this.unit = unit;
        this.about = about;
    }

    /** Returns the event with the label; empty for none. */
    public static Optional<ProfileEvent> of(String label) {
        return Arrays.stream(values()).filter(e -> e.label().equals(label)).findFirst();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the unit of the weights. */
    public String unit() {
        return unit;
    }

    /** Describes the sum of the weights. */
    public String about() {
        return about;
    }

    /** Returns whether samples differ in weight. The last frame of their stacks is the class of the object or lock. */
    boolean weighted() {
        return this == ALLOC || this == LOCK;
    }
}
