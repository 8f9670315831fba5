package dev.postern.app.admin.endpoint;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.auth.Auth;
import dev.postern.auth.key.AcceptedKey;
import dev.postern.auth.key.IssuerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Endpoint that lists the issuers' keys, and on request drops one or fetches the directories. Thread-safe. */
final class KeyEndpoint {

    private static final double SECONDS_A_DAY = 86_400;

    /** Longer than the deadline of a fetch. */
    private static final Duration LONGEST_FETCH = Duration.ofSeconds(7);

    private final Auth auth;

    KeyEndpoint(Auth auth) {
        this.auth = auth;
    }

    List<Map<String, Object>> issuers() {
        Instant now = auth.now();
        return auth.issuers().stream().map(status -> issuer(status, now)).toList();
    }

    /** Drops the key of {@code /keys/ISSUER/KEYID} at once, until this process ends. */
    AdminEndpointTable.Changed drop(List<String> words, String body) {
        if (words.size() != 2) {
            return new AdminEndpointTable.Changed(404, Map.of("expected", "/keys/ISSUER/KEYID"));
        }
        String id = words.get(1).toLowerCase(Locale.ROOT);
        if (!auth.dropKey(words.get(0), id)) {
            return new AdminEndpointTable.Changed(
                    404, Map.of("expected", "an issuer and one of its key ids, as /keys shows them"));
        }
        return new AdminEndpointTable.Changed(
                200,
                Map.of(
                        "dropped",
                        id,
                        "lasting",
                        "until this process ends; put the id into revoked of issuer " + words.get(0)
                                + " in the configuration of every gateway"));
    }

    /** Fetches the directories again, or that of {@code /keys/refresh/ISSUER}, and waits until the fetches have ended. */
    AdminEndpointTable.Changed refresh(List<String> words, String body) {
        boolean known = !words.isEmpty() && words.size() <= 2 && words.get(0).equals("refresh");
        List<String> wanted = auth.issuers().stream()
                .filter(status -> status.directory() != null)
                .map(IssuerStatus::issuer)
                .filter(issuer -> words.size() < 2 || words.get(1).equals(issuer))
                .toList();
        if (!known || wanted.isEmpty()) {
            return new AdminEndpointTable.Changed(
                    404, Map.of("expected", "/keys/refresh or /keys/refresh/ISSUER, an issuer with a directory"));
        }
        List<String> tooSoon = new ArrayList<>();
        List<CompletableFuture<Void>> fetches = new ArrayList<>();
        for (String issuer : wanted) {
            CompletableFuture<Void> fetch = auth.refreshKeys(issuer);
            if (fetch == null) {
                tooSoon.add(issuer);
            } else {
                fetches.add(fetch);
            }
        }
        boolean ended = await(fetches);
        return refreshed(wanted, tooSoon, ended);
    }

    private AdminEndpointTable.Changed refreshed(List<String> wanted, List<String> tooSoon, boolean ended) {
        Instant now = auth.now();
        List<Map<String, Object>> issuers = new ArrayList<>();
        boolean failed = !ended;
        for (IssuerStatus status : auth.issuers()) {
            if (wanted.contains(status.issuer())) {
                Map<String, Object> json = issuer(status, now);
                json.put(
                        "refreshed",
                        !tooSoon.contains(status.issuer()) && status.problem().isEmpty());
                issuers.add(json);
                failed |=
                        !tooSoon.contains(status.issuer()) && !status.problem().isEmpty();
            }
        }
        if (failed) {
            return new AdminEndpointTable.Changed(502, issuers);
        }
        return new AdminEndpointTable.Changed(tooSoon.size() == wanted.size() ? 429 : 200, issuers);
    }

    /** Waits for the fetches, on an admin thread. Returns whether all have ended. */
    private static boolean await(List<CompletableFuture<Void>> fetches) {
        try {
            CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new))
                    .get(LONGEST_FETCH.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Map<String, Object> issuer(IssuerStatus status, Instant now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("issuer", status.issuer());
        json.put("directory", text(status.directory()));
        json.put("fetched", text(status.success()));
        json.put("fresh-until", text(status.freshUntil()));
        json.put("next", text(status.next()));
        json.put("failed", text(status.failure()));
        json.put("problem", status.problem());
        json.put("skipped", status.skipped().stream().map(Object::toString).toList());
        json.put("keys", status.keys().stream().map(key -> key(key, now)).toList());
        return json;
    }

    private static Map<String, Object> key(AcceptedKey key, Instant now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", key.key().id().toString());
        json.put("type", key.key().type().label());
        json.put("state", state(key, now));
        json.put("from", key.from().equals(Instant.EPOCH) ? null : key.from().toString());
        boolean ends = !key.listed() && !key.dropped();
        json.put("until", ends ? key.until().toString() : null);
        json.put("days-left", ends ? daysLeft(key, now) : null);
        return json;
    }

    private static String state(AcceptedKey key, Instant now) {
        if (key.dropped()) {
            return "dropped";
        }
        if (!key.until().isAfter(now)) {
            return "ended";
        }
        if (!key.listed()) {
            return "grace";
        }
        return key.from().isAfter(now) ? "later" : "listed";
    }

    private static double daysLeft(AcceptedKey key, Instant now) {
        double days = Duration.between(now, key.until()).toSeconds() / SECONDS_A_DAY;
        return Math.max(0, Math.round(days * 1000) / 1000.0);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
