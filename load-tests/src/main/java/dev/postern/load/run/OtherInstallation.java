package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Installation that runs already, anywhere: tokens come from a file, or from the issuer that the gateway's challenge
 * names. The run cannot read the upstream's access log.
 *
 * @param gateway scheme, host and port
 * @param path whose challenge is answered
 * @param tokenFile null: tokens are minted
 * @param mintOptions of {@code postern mint}
 */
record OtherInstallation(
        RunFolder folder,
        URI gateway,
        String path,
        @Nullable Path tokenFile,
        List<String> mintOptions) implements Installation {
    private static final Duration PATIENCE = Duration.ofMinutes(60);

    OtherInstallation {
        String scheme = String.valueOf(gateway.getScheme());
        boolean bare = gateway.getHost() != null
                && gateway.getRawQuery() == null
                && List.of("", "/").contains(gateway.getRawPath());
        if (!bare || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException(
                    "--url: " + gateway + " (expected: http or https, host and port; the path is -Dpath)");
        }
    }

    @Override
    public String url() {
        return gateway.getScheme() + "://" + gateway.getRawAuthority();
    }

    @Override
    public String tlsUrl() {
        if (!gateway.getScheme().equals("https")) {
            throw new IllegalArgumentException("--url: " + gateway + " (expected: https, for this simulation)");
        }
        return url();
    }

    @Override
    public Path tokens(int count) {
        Path file = tokenFile == null ? mint(count) : tokenFile.toAbsolutePath();
        try (Stream<String> lines = Files.lines(file)) {
            long found = lines.filter(line -> !line.isBlank()).count();
            if (found < count) {
                throw new IllegalArgumentException(
                        file + ": " + found + " tokens (expected: at least " + count + " for this simulation)");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": not readable (expected: tokens from postern mint)", e);
        }
        return file;
    }

    private Path mint(int count) {
        Path file = folder.file("tokens.txt");
        List<String> arguments =
                new ArrayList<>(List.of("mint", url() + path, "-n", String.valueOf(count), "-o", file.toString()));
        arguments.addAll(mintOptions);
        Progress.say("minting " + count + " tokens");
        Postern.call(folder, "mint", PATIENCE, arguments.toArray(String[]::new));
        return file;
    }

    @Override
    public OptionalInt visits() {
        return OptionalInt.empty();
    }

    @Override
    public void close() {
        // Its servers are not of this run.
    }
}
