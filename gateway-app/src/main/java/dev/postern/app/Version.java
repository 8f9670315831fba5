package dev.postern.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Version of this release, and the commit that it was built from. */
public final class Version {

    private static final Properties BUILD = read();

    /** Version of the modules, such as {@code 0.1.0}. */
    public static final String OURS = BUILD.getProperty("version");

    /** Commit and day of the source, such as {@code commit 6773b282a1b2 of 2026-11-29}. */
    public static final String COMMIT = commit(BUILD.getProperty("commit"), BUILD.getProperty("date"));

    private Version() {}

    /** @param hash empty if the build was not told, as by Maven alone */
    static String commit(String hash, String date) {
        return hash.isEmpty() ? "commit unknown" : "commit " + hash + (date.isEmpty() ? "" : " of " + date);
    }

    private static Properties read() {
        Properties build = new Properties();
        try (InputStream file = Objects.requireNonNull(Version.class.getResourceAsStream("build.properties"))) {
            build.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build;
    }
}
