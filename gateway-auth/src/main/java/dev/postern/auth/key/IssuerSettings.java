package dev.postern.auth.key;

import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an issuer of accepted tokens, with a directory or with keys: an element of {@code privacy-pass.issuers} of the configuration.
 */
public record IssuerSettings(
        @Key(
                example = "issuer.example",
                description = "Name in challenges: host (and port, if not 443) where clients find"
                        + " `https://NAME/.well-known/private-token-issuer-directory`.")
        String name,

        @Key(
                defaultValue = "null",
                example = "https://issuer.example/.well-known/private-token-issuer-directory",
                description = "URL of the issuer directory (RFC 9578 section 4).")
        @Nullable
        String directory,

        @Key(
                defaultValue = "1h",
                min = "1s",
                max = "30d",
                needs = "directory",
                description =
                        "Longest time between two requests to the directory. Its caching fields can shorten it, to 5 s at"
                                + " least.")
        Duration refresh,

        @Key(
                defaultValue = "0s",
                min = "0",
                max = "30d",
                needs = "directory",
                description = "Time in which a key is still accepted after it left the directory.")
        Duration keyGrace,

        @Key(defaultValue = "[]", description = "Keys instead of a directory: base64url of DER.")
        List<String> publicKeys,

        @Key(
                defaultValue = "[]",
                file = FileKind.READABLE,
                description = "Files with keys instead of a directory: DER or base64url.")
        List<Path> publicKeyFiles,

        @Key(
                defaultValue = "[]",
                file = FileKind.PATH,
                description = "Files with private keys, or folders of `*.key` files, for token type 1. With a directory"
                        + " only listed keys are used, and folders are read again when it changes.")
        List<Path> privateKeyFiles,

        @Key(
                defaultValue = "[]",
                needs = "directory",
                description = "Only keys with these ids (hex) are taken from the directory; a directory without any of"
                        + " them is ignored.")
        List<String> pin,

        @Key(defaultValue = "[]", description = "Keys with these ids (hex) are never accepted.")
        List<String> revoked) {

    /** Path of the directory (RFC 9578 section 4). */
    public static final String WELL_KNOWN = "/.well-known/private-token-issuer-directory";

    public IssuerSettings {
        publicKeys = List.copyOf(publicKeys);
        publicKeyFiles = List.copyOf(publicKeyFiles);
        privateKeyFiles = List.copyOf(privateKeyFiles);
        pin = List.copyOf(pin);
        revoked = List.copyOf(revoked);
        boolean keys = !publicKeys.isEmpty() || !publicKeyFiles.isEmpty();
        boolean secrets = !privateKeyFiles.isEmpty();
        Checks checks = Checks.of()
                .that(name.matches("[a-z0-9.:_-]{1,255}"), "name", name, "a host name in lower case")
                .that(
                        directory == null ? keys || secrets : !keys,
                        "directory",
                        directory == null ? "nothing" : shown(directory),
                        "either a directory or public-keys / public-key-files / private-key-files");
        if (directory != null) {
            checks.parses("directory", shown(directory), () -> uri(directory));
        }
        checks.each("pin", pin, IssuerSettings::isKeyId, "64 hex digits: a key id")
                .each("revoked", revoked, IssuerSettings::isKeyId, "64 hex digits: a key id")
                .done();
    }

    /** Returns the URL of the directory, or null. */
    public @Nullable URI directoryUri() {
        return directory == null ? null : uri(directory);
    }

    /**
     * Returns the directory without the keys that are not pinned.
     *
     * @throws IllegalArgumentException when none is left
     */
    IssuerDirectory pinned(IssuerDirectory published) {
        if (pin.isEmpty()) {
            return published;
        }
        List<IssuerDirectory.ListedKey> kept = published.keys().stream()
                .filter(k -> pin.contains(k.key().id().toString()))
                .toList();
        if (kept.isEmpty()) {
            throw new IllegalArgumentException("token-keys: none of the "
                    + published.keys().size() + " is pinned (expected: one of the ids in issuers.pin)");
        }
        return new IssuerDirectory(published.requestUri(), kept, published.skipped());
    }

    /** Parses the URL of a directory; the message of the {@link IllegalArgumentException} says what was expected. */
    private static URI uri(String directory) {
        try {
            URI uri = new URI(directory);
            boolean spoken = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (spoken && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getPort() <= 65535) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The message of the exception may quote a password.
        }
        throw new IllegalArgumentException("an http or https URL with a host and without credentials");
    }

    /** Hides a URL that contains user and password, which are invalid here. */
    private static String shown(String directory) {
        return directory.indexOf('@') < 0 ? directory : "(hidden)";
    }

    private static boolean isKeyId(String text) {
        return text.matches("[0-9a-f]{64}");
    }
}
