package dev.postern.app.config.read;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Examples of configurations in docs: one for each section, and the sections that complete a partial configuration. */
public final class Examples {

    private static final Map<String, String> SECTIONS = read();

    /** Required sections of every configuration. */
    private static final Map<String, String> REST = Map.of(
            "listeners", "listeners: [{name: web, address: '127.0.0.1:8080'}]\n",
            "privacy-pass",
                    "privacy-pass: {issuers: [{name: issuer.example, directory: 'https://issuer.example/directory'}]}\n",
            "upstreams", "upstreams: [{name: app, endpoints: ['127.0.0.1:9000']}]\n",
            "routes", "routes: [{host: '*', path: /, upstream: app}]\n");

    private Examples() {}

    /** Returns the example of a section. */
    static String of(String section) {
        return Objects.requireNonNull(SECTIONS.get(section), section + ": no example (expected: one in examples.yaml)");
    }

    /** Adds the missing required sections to a block. */
    public static String completed(String block) {
        StringBuilder complete = new StringBuilder(block);
        REST.forEach((section, text) -> {
            if (!("\n" + block).contains("\n" + section + ":")) {
                complete.append(text);
            }
        });
        return complete.toString();
    }

    private static Map<String, String> read() {
        Map<String, String> sections = new LinkedHashMap<>();
        try (InputStream file = Objects.requireNonNull(Examples.class.getResourceAsStream("examples.yaml"))) {
            String[] texts = new String(file.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^#: ");
            for (int i = 1; i < texts.length; i++) {
                String[] part = texts[i].split("\n", 2);
                sections.put(part[0], part[1]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sections;
    }
}
