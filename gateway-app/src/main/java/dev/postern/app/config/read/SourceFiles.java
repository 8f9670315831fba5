package dev.postern.app.config.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Files that a configuration was read from: its own file, and those that <code>${file:...}</code> names, each with a digest of its content.
 * Links are followed, so that a changed link, as Kubernetes updates a mounted ConfigMap, is a change of content.
 *
 * @param digests by file
 */
public record SourceFiles(Map<Path, String> digests) {

    /** No files: a configuration that was not read from any. */
    public static final SourceFiles NONE = new SourceFiles(Map.of());

    private static final int LARGEST = 4 << 20;
    private static final String UNREADABLE = "";

    public SourceFiles {
        digests = Map.copyOf(digests);
    }

    /** Returns the same files with the content that they have now. Blocks. */
    public SourceFiles now() {
        Map<Path, String> current = new TreeMap<>();
        for (Path file : digests.keySet()) {
            String digest = UNREADABLE;
            try {
                digest = digest(bytes(file));
            } catch (IOException e) {
                // A file that disappeared, or that may not be read any more, is a change.
            }
            current.put(file, digest);
        }
        return new SourceFiles(current);
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST);
        }
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: none (expected: one in every JDK)", e);
        }
    }

    /** Reads files as text, and keeps the digests of what was read. */
    static final class Reader {

        private final Path base;
        private final Map<Path, String> digests = new TreeMap<>();

        /** @param base the directory that relative file names start from */
        Reader(Path base) {
            this.base = base;
        }

        Path base() {
            return base;
        }

        Path resolve(String name) {
            return base.resolve(name);
        }

        /** Reads the first 4 MiB of a text; throws {@link java.nio.charset.CharacterCodingException} if it is not UTF-8. */
        String read(Path file) throws IOException {
            digests.put(file, UNREADABLE); // a file that can be read later is a change, too
            byte[] content = bytes(file);
            digests.put(file, digest(content));
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        }

        SourceFiles files() {
            return new SourceFiles(digests);
        }
    }
}
