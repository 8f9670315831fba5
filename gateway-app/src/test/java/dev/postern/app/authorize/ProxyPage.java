package dev.postern.app.authorize;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files on {@code docs/authorize.md}: fenced blocks that have a path behind their language. */
final class ProxyPage {

    private static final Pattern FILE = Pattern.compile("(?ms)^```\\w+ (\\S+/\\S+)\n(.*?)^```$");

    private final Map<String, String> files = new LinkedHashMap<>();

    private ProxyPage(String text) {
        Matcher file = FILE.matcher(text);
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
    }

    static ProxyPage read() {
        try {
            return new ProxyPage(Files.readString(root().resolve("docs/authorize.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folder of the repository. */
    static Path root() {
        Path location = Path.of("").toAbsolutePath();
        while (location != null && !Files.exists(location.resolve("mvnw"))) {
            location = location.getParent();
        }
        return location == null ? Path.of("") : location;
    }

    /** Returns the text of a file, such as {@code nginx/nginx.conf}. */
    String file(String path) {
        String text = files.get(path);
        if (text == null) {
            throw new IllegalStateException(path + ": not on the page (expected: one of " + files.keySet() + ")");
        }
        return text;
    }

    /** Writes the files of a folder of the page, with other ports, into that folder. */
    void write(String group, ProxyPorts ports, Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (file.getKey().startsWith(group + "/")) {
                Path name = Path.of(file.getKey()).getFileName();
                Files.writeString(folder.resolve(name), ports.replace(file.getValue()));
            }
        }
    }
}
