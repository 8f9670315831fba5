package dev.postern.auth.key;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an issuer whose tokens are accepted.
 *
 * @param name {@code host[:port]} as in challenges, ASCII
 * @param directory where its keys are published; null for static keys only
 * @param refresh upper bound on the freshness lifetime of HTTP caching
 * @param keyGrace how long tokens pass after their key has left the directory
 * @param publicKeys static keys, base64url of the published form
 * @param publicKeyFiles files with one static key each: base64url, PEM or DER
 * @param privateKeyFiles files with one secret key each, or folders of such files with the ending {@code .key}: for privately verifiable
 *     token types. With a directory they serve the keys that it lists, and folders are read again when the directory changes
 * @param rules restrictions by the operator
 */
public record IssuerSettings(
        String name,
        @Nullable URI directory,
        Duration refresh,
        Duration keyGrace,
        List<String> publicKeys,
        List<Path> publicKeyFiles,
        List<Path> privateKeyFiles,
        Rules rules) {

    /** Path of the directory (RFC 9578 section 4). */
    public static final String WELL_KNOWN = "/.well-known/private-token-issuer-directory";

    public static final Duration DEFAULT_REFRESH = Duration.ofHours(1);

    public IssuerSettings {
        publicKeys = List.copyOf(publicKeys);
        publicKeyFiles = List.copyOf(publicKeyFiles);
        privateKeyFiles = List.copyOf(privateKeyFiles);
        if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ',')) {
            throw new IllegalArgumentException("issuers.name: " + name + " (expected: host or host:port in ASCII)");
        }
        if (directory != null && !List.of("http", "https").contains(String.valueOf(directory.getScheme()))) {
            throw new IllegalArgumentException(
                    "issuers.directory: " + directory + " (expected: an http or https address)");
        }
        if (directory == null && publicKeys.isEmpty() && publicKeyFiles.isEmpty() && privateKeyFiles.isEmpty()) {
            throw new IllegalArgumentException(
                    "issuers.directory: none (expected: an address, or public-keys, for " + name + ")");
        }
        if (refresh.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("issuers.refresh: " + refresh + " (expected: 1s at least)");
        }
        if (keyGrace.isNegative()) {
            throw new IllegalArgumentException("issuers.key-grace: " + keyGrace + " (expected: 0s or more)");
        }
    }

    /** Creates settings without rules. */
    public IssuerSettings(
            String name,
            @Nullable URI directory,
            Duration refresh,
            Duration keyGrace,
            List<String> publicKeys,
            List<Path> publicKeyFiles,
            List<Path> privateKeyFiles) {
        this(name, directory, refresh, keyGrace, publicKeys, publicKeyFiles, privateKeyFiles, Rules.NONE);
    }

    /** Returns these settings with other rules. */
    public IssuerSettings with(Rules other) {
        return new IssuerSettings(
                name, directory, refresh, keyGrace, publicKeys, publicKeyFiles, privateKeyFiles, other);
    }

    /**
     * Rules of the operator for an issuer's keys.
     *
     * @param pin key ids, 64 hex digits each: only these keys of a directory are used; empty for all
     * @param revoked key ids whose tokens never pass
     * @param copies folder for the last good copy of the directory, or null for none
     */
    public record Rules(
            Set<String> pin, Set<String> revoked, @Nullable Path copies) {

        public static final Rules NONE = new Rules(Set.of(), Set.of(), null);

        public Rules {
            pin = ids("pin", pin);
            revoked = ids("revoked", revoked);
        }

        /**
         * Returns the directory without the keys that are not pinned.
         *
         * @throws IllegalArgumentException when none is left
         */
        IssuerDirectory pinned(IssuerDirectory directory) {
            if (pin.isEmpty()) {
                return directory;
            }
            List<IssuerDirectory.ListedKey> kept = directory.keys().stream()
                    .filter(k -> pin.contains(k.key().id().toString()))
                    .toList();
            if (kept.isEmpty()) {
                throw new IllegalArgumentException("token-keys: none of the "
                        + directory.keys().size() + " is pinned (expected: one of the ids in issuers.pin)");
            }
            return new IssuerDirectory(directory.requestUri(), kept);
        }

        private static Set<String> ids(String subject, Set<String> ids) {
            for (String id : ids) {
                if (!id.matches("[0-9a-fA-F]{64}")) {
                    throw new IllegalArgumentException("issuers." + subject + ": " + id + " (expected: 64 hex digits)");
                }
            }
            return ids.stream().map(id -> id.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** Returns settings of an issuer with a directory and all defaults. */
    public static IssuerSettings of(String name, URI directory) {
        return new IssuerSettings(name, directory, DEFAULT_REFRESH, Duration.ZERO, List.of(), List.of(), List.of());
    }
}
