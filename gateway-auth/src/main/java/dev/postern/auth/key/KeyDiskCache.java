package dev.postern.auth.key;

import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.TokenType;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Disk cache of the last good keys of each issuer, one JSON file each, for a start while the issuer is unavailable. Keys are public, but
 * write access to the folder decides whose tokens pass, so only the operator may write to it. Blocks; never on an event loop.
 */
final class KeyDiskCache {

    private static final Logger LOG = LoggerFactory.getLogger(KeyDiskCache.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_BYTES = 1024 * 1024;

    private final @Nullable Path folder;
    /** Content of the files, by issuer. */
    private final Map<String, String> kept = new ConcurrentHashMap<>();

    /** @param folder null for no copies */
    KeyDiskCache(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Returns the keys of that issuer as last written; none when there is no copy, no folder, or the copy is not usable. */
    List<AcceptedKey> load(IssuerSettings issuer) {
        Path file = file(issuer);
        if (file == null || !Files.exists(file)) {
            return List.of();
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(Files.size(file) + " bytes (expected: " + MAX_BYTES + " at most)");
            }
            List<AcceptedKey> keys = readAll(issuer, JSON.readTree(Files.readAllBytes(file)));
            LOG.info(
                    "Issuer {}: {} keys from the copy on disk until its directory is there",
                    issuer.name(),
                    keys.size());
            return keys;
        } catch (IOException | JacksonException | IllegalArgumentException | DateTimeException e) {
            LOG.warn("Issuer {}: copy {} not used: {}", issuer.name(), file, FailureText.of(e));
            return List.of();
        }
    }

    /** Replaces the copy as a whole, if the keys differ. */
    void keep(IssuerSettings issuer, List<AcceptedKey> keys) {
        Path file = file(issuer);
        if (file == null) {
            return;
        }
        String text = JSON.writeValueAsString(
                Map.of("keys", keys.stream().map(KeyDiskCache::written).toList()));
        if (text.equals(kept.get(issuer.name()))) {
            return;
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Path whole = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(whole, text);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            kept.put(issuer.name(), text);
        } catch (IOException e) {
            LOG.warn("Issuer {}: copy {} not written: {}", issuer.name(), file, FailureText.of(e));
        }
    }

    private @Nullable Path file(IssuerSettings issuer) {
        Path present = folder;
        return present == null
                ? null
                : present.resolve(URLEncoder.encode(issuer.name(), StandardCharsets.UTF_8) + ".json");
    }

    private static Map<String, Object> written(AcceptedKey key) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("type", key.key().type().value());
        entry.put("key", Base64Url.encode(key.key().encoded()));
        entry.put("from", key.from().getEpochSecond());
        if (!key.listed()) {
            entry.put("until", key.until().getEpochSecond());
        }
        return entry;
    }

    /** Reads the keys as strictly as those of a directory, pins included: the configuration may have changed since. */
    private static List<AcceptedKey> readAll(IssuerSettings issuer, JsonNode root) {
        List<AcceptedKey> keys = new ArrayList<>();
        for (JsonNode entry : root.path("keys")) {
            try {
                AcceptedKey key =
                        read(issuer, entry, TokenType.of(entry.path("type").asInt(-1)));
                if (key != null) {
                    keys.add(key);
                }
            } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
                LOG.warn("Issuer {}: entry of the copy on disk skipped: {}", issuer.name(), e.getMessage());
            }
        }
        return keys;
    }

    private static @Nullable AcceptedKey read(IssuerSettings issuer, JsonNode entry, @Nullable TokenType type) {
        if (type == null) {
            return null;
        }
        IssuerKey key = IssuerKey.readListed(
                type, IssuerDirectory.bytes(entry.path("key").asString("")));
        if (!issuer.pin().isEmpty() && !issuer.pin().contains(key.id().toString())) {
            return null;
        }
        JsonNode until = entry.path("until");
        return new AcceptedKey(
                key,
                issuer.name(),
                Instant.ofEpochSecond(entry.path("from").asLong(0)),
                until.isMissingNode() ? Instant.MAX : Instant.ofEpochSecond(until.asLong(0)));
    }
}
