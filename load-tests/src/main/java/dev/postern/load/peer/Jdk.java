package dev.postern.load.peer;

import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** JDK of this machine on which the gateway can run. */
public record Jdk(int major, Path home) {
    /** Major versions on which the gateway is tested. */
    public static final List<Integer> SUPPORTED = List.of(17, 25);

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)[.\"]");
    private static final Path USUAL = Path.of("/usr/lib/jvm");

    /**
     * Returns the JDK of this process, then one JDK of each other supported version, found by its variable or in the
     * usual folder.
     */
    public static List<Jdk> found() {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        SUPPORTED.forEach(major -> {
            String home = System.getenv("JAVA_HOME_" + major);
            if (home != null) {
                homes.add(Path.of(home));
            }
        });
        homes.addAll(usual());
        return ofEachLine(homes);
    }

    static List<Jdk> ofEachLine(List<Path> homes) {
        List<Jdk> found = new ArrayList<>();
        for (Path home : homes) {
            OptionalInt major = major(home);
            boolean first = found.isEmpty();
            if (major.isPresent()
                    && (first || SUPPORTED.contains(major.getAsInt()))
                    && found.stream().noneMatch(jdk -> jdk.major == major.getAsInt())) {
                found.add(new Jdk(major.getAsInt(), home));
            }
        }
        return found;
    }

    private static List<Path> usual() {
        if (!Files.isDirectory(USUAL)) {
            return List.of();
        }
        try (Stream<Path> homes = Files.list(USUAL)) {
            return homes.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the major version; empty if there is no {@code java} or if its version can't be read. */
    private static OptionalInt major(Path home) {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin").resolve("java")) || !Files.isReadable(release)) {
            return OptionalInt.empty();
        }
        return Unchecked.get(() -> {
            Matcher version = VERSION.matcher(Files.readString(release));
            return version.find() ? OptionalInt.of(Integer.parseInt(version.group(1))) : OptionalInt.empty();
        });
    }
}
