package dev.postern.app.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a profile tells of. */
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

    /** The event of that label; empty for none. */
    public static Optional<ProfileEvent> of(String label) {
        return Arrays.stream(values()).filter(e -> e.label().equals(label)).findFirst();
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of the weights of stacks. */
    public String unit() {
        return unit;
    }

    /** What the weights add up to, in words. */
    public String about() {
        return about;
    }
}
