package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.RateLimitSettings;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Completes the settings of auth and ratelimit: reads files, and combines sections. */
public final class AdmissionMapping {

    private final GatewayConfig config;

    public AdmissionMapping(GatewayConfig config) {
        this.config = config;
    }

    /** Returns the ring of the file; null where none is configured. */
    public @Nullable KeyRing ring() {
        String file = config.secrets().ringFile();
        try {
            return file == null ? null : KeyRing.read(Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException("secrets.ring-file: " + file + " (expected: a file that can be read)", e);
        }
    }

    /** Returns whether there are routes with {@code token: session}. */
    public boolean sessions() {
        return config.routes().stream().anyMatch(route -> route.token() == Route.Token.SESSION);
    }

    public RateLimitSettings rateLimits() {
        return new RateLimitSettings(
                config.instance().namespace(), config.instance().replicas(), config.rateLimits(), pages(), redis());
    }

    /** Returns the Redis of this process, for the spend ledger too; its URI is read from the file. */
    public RedisSettings redis() {
        RedisSettings redis = config.redis();
        String file = redis.uriFile();
        if (file == null) {
            return redis;
        }
        try {
            String uri = Files.readString(Path.of(file)).trim();
            // Checked here rather than by the Redis client, whose parser puts the password into its message.
            RedisAddress.of(uri);
            return redis.with(uri, file);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("redis.uri-file: " + file + " (expected: " + e.getMessage() + ")", e);
        } catch (IOException e) {
            throw new IllegalStateException("redis.uri-file: " + file + " (expected: a file that can be read)", e);
        }
    }

    private Map<String, String> pages() {
        Map<String, String> pages = new HashMap<>();
        for (RateLimitRule limit : config.rateLimits()) {
            FairQueueSettings queue = limit.fairQueue();
            String file = queue == null ? null : queue.page().template();
            if (file != null) {
                pages.put(limit.name(), page(file));
            }
        }
        return pages;
    }

    private String page(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "page.template: " + file + " (expected: a file of UTF-8 that can be read)", e);
        }
    }
}
