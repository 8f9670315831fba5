package dev.postern.load.observe;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Blindfold for a gateway: JVM flags under which the gateway measures and records nothing of an exchange. The gateway
 * has no setting for this, so an agent replaces the measuring classes by empty ones. The other gateway gets the same
 * agent without replacements.
 */
final class Blindfold {
    private static final Path LIBRARIES = Path.of("gateway-app", "target", "app", "lib");
    private static final List<String> EMPTY_CLASSES = List.of("Timeline.java", "LogStage.java");

    private final Path folder;
    private final Path agent;

    /** @param folder where classes and agent are put */
    Blindfold(Path folder) {
        this.folder = folder;
        try {
            Path classes = Files.createDirectories(folder.resolve("agent"));
            compile(classes, List.of("Swap.java"));
            compile(Files.createDirectories(folder.resolve("empty")), EMPTY_CLASSES);
            Files.createDirectories(folder.resolve("nothing"));
            agent = jar(classes.resolve("Swap.class"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String flagsWith() {
        return flags("nothing");
    }

    String flagsWithout() {
        return flags("empty");
    }

    private String flags(String classes) {
        return "-javaagent:" + agent + "=" + folder.resolve(classes);
    }

    private void compile(Path into, List<String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("no compiler (expected: a JDK, not a runtime)");
        }
        List<String> arguments =
                new ArrayList<>(List.of("-proc:none", "--release", "17", "-cp", libraries(), "-d", into.toString()));
        for (String source : sources) {
            Path file = folder.resolve(source);
            try (InputStream text = Blindfold.class.getResourceAsStream(source)) {
                if (text == null) {
                    throw new IllegalStateException(source + ": not found beside " + Blindfold.class.getName());
                }
                Files.write(file, text.readAllBytes());
            }
            arguments.add(file.toString());
        }
        int status = compiler.run(null, null, null, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException(sources + ": they do not compile against the gateway any more");
        }
    }

    /** Returns the class path of the gateway, as its launcher builds it. */
    private static String libraries() throws IOException {
        try (Stream<Path> all = Files.list(LIBRARIES)) {
            return all.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    private Path jar(Path agentClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), "Swap");
        Path file = folder.resolve("swap.jar");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.putNextEntry(new JarEntry("Swap.class"));
            jar.write(Files.readAllBytes(agentClass));
        }
        return file;
    }
}
