package dev.postern.app.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Event that a profile samples. */
public enum ProfileEvent {
    CPU("ns", "time on a processor"),
    ALLOC("bytes", "memory that was allocated"),
    WALL("ns", "time, waiting included"),
    LOCK("ns", "time waiting for locks");

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
}
