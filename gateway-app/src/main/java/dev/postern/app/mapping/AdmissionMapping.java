package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.PrivacyPassConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.auth.AuthModes;
import dev.postern.auth.AuthSettings;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.session.SessionSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.token.TokenType;
import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.RateLimitSettings;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Maps the configuration to the settings of auth and ratelimit. */
public final class AdmissionMapping {

    private final GatewayConfig config;
    private final Path base;

    /** @param base the directory that relative file names start from */
    public AdmissionMapping(GatewayConfig config, Path base) {
        this.config = config;
        this.base = base;
    }

    public KeyRing ring() {
        String file = config.secrets().ringFile();
        try {
            return file == null ? KeyRing.random() : KeyRing.read(base.resolve(file));
        } catch (IOException e) {
            throw new IllegalStateException("secrets.ring-file: " + file + " (expected: a file that can be read)", e);
        }
    }

    public AuthSettings auth() {
        PrivacyPassConfig pass = config.privacyPass();
        return new AuthSettings(
                config.instance().namespace(),
                pass.originNames(),
                pass.tokenHeader(),
                pass.challengeWindow(),
                pass.clockSkew(),
                pass.issuers().stream().map(this::issuer).toList(),
                pass.tokenTypes().stream()
                        .map(TokenType::of)
                        .filter(Objects::nonNull)
                        .toList(),
                modes());
    }

    private AuthModes modes() {
        PrivacyPassConfig pass = config.privacyPass();
        boolean sessions = config.routes().stream().anyMatch(r -> r.token() == RouteConfig.Token.SESSION);
        return new AuthModes(
                pass.keyMaxLifetime(),
                pass.enforcement() == PrivacyPassConfig.Enforcement.REPORT_ONLY,
                pass.grease(),
                sessions
                        ? new SessionSettings(
                                pass.session().lifetime(), pass.session().cookie())
                        : null,
                pass.failureBudget().gcra());
    }

    private IssuerSettings issuer(PrivacyPassConfig.Issuer issuer) {
        return new IssuerSettings(
                issuer.name(),
                issuer.directory() == null ? null : PrivacyPassConfig.Issuer.address(issuer.directory()),
                issuer.refresh(),
                issuer.keyGrace(),
                issuer.publicKeys(),
                issuer.publicKeyFiles().stream().map(base::resolve).toList(),
                issuer.privateKeyFiles().stream().map(base::resolve).toList(),
                rules(issuer));
    }

    private IssuerSettings.Rules rules(PrivacyPassConfig.Issuer issuer) {
        String copies = config.privacyPass().keyCache();
        return new IssuerSettings.Rules(
                Set.copyOf(issuer.pin()), Set.copyOf(issuer.revoked()), copies == null ? null : base.resolve(copies));
    }

    public LedgerSettings ledger() {
        return config.privacyPass().ledger().under(base);
    }

    /** Returns the Redis of a spend ledger with {@code store: redis}. */
    public LedgerSettings.Redis ledgerRedis() {
        return new LedgerSettings.Redis(redisUri(), config.redis().cluster());
    }

    public RateLimitSettings rateLimits() {
        return new RateLimitSettings(
                config.instance().namespace(),
                config.instance().replicas(),
                config.rateLimits(),
                pages(),
                new RateLimitSettings.Redis(
                        redisUri(), config.redis().cluster(), config.redis().deadline()));
    }

    private String redisUri() {
        String file = config.redis().uriFile();
        if (file == null) {
            return config.redis().uri();
        }
        try {
            String uri = Files.readString(base.resolve(file)).trim();
            // Checked here rather than by the Redis client, whose parser puts the password into its message.
            RedisAddress.of(uri);
            return uri;
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
            return Files.readString(base.resolve(file));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "page.template: " + file + " (expected: a file of UTF-8 that can be read)", e);
        }
    }
}
