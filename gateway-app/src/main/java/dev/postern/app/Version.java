package dev.postern.app;

import org.jspecify.annotations.Nullable;

/** Which release this is. */
public final class Version {

    /** As the jar's manifest says; {@code development} outside of a jar. */
    public static final String OURS = ours();

    private Version() {}

    private static String ours() {
        @Nullable String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
