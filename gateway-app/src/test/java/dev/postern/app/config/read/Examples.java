package dev.postern.app.config.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Examples of configurations in docs: those of each section, and what completes a block of some sections to a whole configuration. */
public final class Examples {

    private static final Map<String, String> SECTIONS = read();

    /** What every configuration needs, by section. */
    private static final Map<String, String> REST = Map.of(
            "listeners", "listeners: [{name: web, address: '127.0.0.1:8080'}]\n",
            "privacy-pass",
                    "privacy-pass: {issuers: [{name: issuer.example, directory: 'https://issuer.example/directory'}]}\n",
            "upstreams", "upstreams: [{name: app, endpoints: ['127.0.0.1:9000']}]\n",
            "routes", "routes: [{host: '*', path: /, upstream: app}]\n");

    private Examples() {}

    /** The example of a section. */
    static String of(String section) {
        return Objects.requireNonNull(SECTIONS.get(section), section + ": no example (expected: one in examples.yaml)");
    }

    /** A block with the sections that it lacks. */
    public static String completed(String block) {
        StringBuilder whole = new StringBuilder(block);
        REST.forEach((section, text) -> {
            if (!("\n" + block).contains("\n" + section + ":")) {
                whole.append(text);
            }
        });
        return whole.toString();
    }

    private static Map<String, String> read() {
        Map<String, String> sections = new LinkedHashMap<>();
        try (InputStream file = Objects.requireNonNull(Examples.class.getResourceAsStream("examples.yaml"))) {
            String[] parts = new String(file.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^#: ");
            for (int i = 1; i < parts.length; i++) {
                String[] part = parts[i].split("\n", 2);
                sections.put(part[0], part[1]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sections;
    }
}
