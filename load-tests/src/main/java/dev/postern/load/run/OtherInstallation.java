package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.Postern;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Installation that runs already, anywhere: tokens come from a file, or from the issuer that the gateway's challenge
 * names. The run cannot read the upstream's access log.
 */
record OtherInstallation(RunFolder folder, Addresses addresses, Mint mint) implements TokenInstallation {
    /**
     * Addresses of a gateway.
     *
     * @param gateway scheme, host and port
     * @param metrics null: the gateway's own figures are left out
     */
    record Addresses(URI gateway, @Nullable URI metrics) {
        Addresses {
            String scheme = String.valueOf(gateway.getScheme());
            boolean bare = gateway.getHost() != null
                    && gateway.getRawQuery() == null
                    && List.of("", "/").contains(gateway.getRawPath());
            if (!bare || !(scheme.equals("http") || scheme.equals("https"))) {
                throw new IllegalArgumentException(
                        "--url: " + gateway + " (expected: http or https, host and port; the path is -Dpath)");
            }
        }
    }

    /**
     * Source of tokens.
     *
     * @param path whose challenge is answered
     * @param file null: tokens are minted
     * @param options of {@code postern mint}
     */
    record Mint(String path, @Nullable Path file, List<String> options) {}

    @Override
    public String url() {
        return addresses.gateway.getScheme() + "://" + addresses.gateway.getRawAuthority();
    }

    @Override
    public String tlsUrl() {
        if (!addresses.gateway.getScheme().equals("https")) {
            throw new IllegalArgumentException(
                    "--url: " + addresses.gateway + " (expected: https, for this simulation)");
        }
        return url();
    }

    @Override
    public Path tokens(int count) {
        Path file = mint.file == null ? mint(count) : mint.file.toAbsolutePath();
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
        Progress.say("minting " + count + " tokens");
        Postern.mint(folder, url() + mint.path, count, file, mint.options);
        return file;
    }

    @Override
    public Path stream(int count) {
        return mint.file == null ? Postern.stream(folder, url() + mint.path, count, mint.options) : tokens(count);
    }

    @Override
    public OptionalLong process() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalInt visits() {
        return OptionalInt.empty();
    }

    @Override
    public Optional<URI> metrics() {
        return Optional.ofNullable(addresses.metrics);
    }
}
