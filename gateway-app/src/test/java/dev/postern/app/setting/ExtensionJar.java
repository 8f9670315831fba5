package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.spi.EndpointRule;
import dev.postern.core.spi.LogField;
import dev.postern.core.spi.RefusalPage;
import dev.postern.core.spi.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A jar of extensions, compiled from source in memory. */
final class ExtensionJar {

    private static final Pattern PACKAGE = Pattern.compile("package ([a-z.]+);");
    private static final Pattern CLASS = Pattern.compile("public final class (\\w+) implements ([\\w, ]+?) \\{");
    private static final Map<String, Class<?>> KINDS = Map.of(
            "Stage",
            Stage.class,
            "LogField",
            LogField.class,
            "RefusalPage",
            RefusalPage.class,
            "EndpointRule",
            EndpointRule.class);

    private ExtensionJar() {}

    /** Writes a jar of these classes, one per source, into the folder. */
    static void write(Path folder, List<String> sources) throws IOException {
        Map<String, StringBuilder> services = new LinkedHashMap<>();
        List<JavaFileObject> units = new ArrayList<>();
        for (String source : sources) {
            Matcher type = find(CLASS, source);
            String name = find(PACKAGE, source).group(1) + "." + type.group(1);
            for (String kind : type.group(2).split(", ")) {
                services.computeIfAbsent(Objects.requireNonNull(KINDS.get(kind)).getName(), k -> new StringBuilder())
                        .append(name)
                        .append('\n');
            }
            units.add(new Source(name, source));
        }
        Map<String, byte[]> entries = new LinkedHashMap<>(compile(units));
        services.forEach((kind, names) ->
                entries.put("META-INF/services/" + kind, names.toString().getBytes(UTF_8)));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("extensions.jar")))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
    }

    private static Matcher find(Pattern pattern, String source) {
        Matcher matcher = pattern.matcher(source);
        if (!matcher.find()) {
            throw new IllegalArgumentException(source + " (expected: " + pattern + ")");
        }
        return matcher;
    }

    private static Map<String, byte[]> compile(List<JavaFileObject> units) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, UTF_8);
                Output output = new Output(files)) {
            List<String> options = List.of("--release", "17", "-classpath", library());
            boolean compiled = compiler.getTask(null, output, problems, options, null, units)
                    .call();
            if (!compiled) {
                throw new AssertionError("does not compile: " + problems.getDiagnostics());
            }
            Map<String, byte[]> classes = new LinkedHashMap<>();
            output.classes.forEach(
                    (name, bytes) -> classes.put(name.replace('.', '/') + ".class", bytes.toByteArray()));
            return classes;
        }
    }

    /** Returns the class path of a user: only the jar of the interfaces. */
    private static String library() {
        try {
            return Path.of(Stage.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();

        Output(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, n -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
