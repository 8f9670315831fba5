package dev.postern.app;

import org.jspecify.annotations.Nullable;

/** Version of this release. */
public final class Version {

    /** Version in the jar's manifest; {@code development} outside of a jar. */
    public static final String OURS = ours();

    private Version() {}

    private static String ours() {
        @Nullable String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
