package dev.postern.auth.key;

import dev.postern.auth.token.TokenScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secret keys of an issuer that this gateway shares, for privately verifiable token types. Each call reads the files again, so that a key
 * that the issuer adds to a folder works without a restart; the last keys stay when reading fails. Blocks; never for event loops.
 */
public final class SecretKeys implements Supplier<List<IssuerKey>> {

    private static final Logger LOG = LoggerFactory.getLogger(SecretKeys.class);
    private static final String ENDING = ".key";
    private static final int MAX_BYTES = 4096;

    private final List<Path> files;
    private volatile List<IssuerKey> last;

    SecretKeys(List<Path> files) {
        this.files = List.copyOf(files);
        this.last = read(files);
    }

    @Override
    public List<IssuerKey> get() {
        try {
            last = read(files);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            LOG.warn("private keys not read, {} kept: {}", last.size(), e.getMessage());
        }
        return last;
    }

    /**
     * Reads all keys.
     *
     * @param files files, or folders, of which the files with the ending {@code .key} are read
     * @throws IllegalArgumentException naming the file, never its content
     */
    public static List<IssuerKey> read(List<Path> files) {
        List<IssuerKey> keys = new ArrayList<>();
        for (Path file : files) {
            try {
                for (Path each : each(file)) {
                    keys.add(readOne(each));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "private-key-files: " + file + " (expected: a file that can be read)", e);
            }
        }
        return List.copyOf(keys);
    }

    private static List<Path> each(Path file) throws IOException {
        if (!Files.isDirectory(file)) {
            return List.of(file);
        }
        try (Stream<Path> inside = Files.list(file)) {
            return inside.filter(f -> f.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    private static IssuerKey readOne(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IllegalArgumentException("private-key-files: " + file + ": " + Files.size(file)
                    + " bytes (expected: " + MAX_BYTES + " at most)");
        }
        byte[] content = Files.readAllBytes(file);
        for (TokenScheme scheme : TokenScheme.all()) {
            try {
                IssuerKey key = scheme instanceof KeyFormat format ? format.readSecret(content) : null;
                if (key != null) {
                    return key;
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("private-key-files: " + file + ": " + e.getMessage(), e);
            }
        }
        throw new IllegalArgumentException("private-key-files: " + file
                + ": of no known form (expected: voprf-p384: and the scalar in base64url, as"
                + " `postern issuer --private-keys` writes)");
    }
}
