package dev.postern.auth.testing;

import dev.postern.auth.Auth;
import dev.postern.auth.AuthSettings;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.session.SessionSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.token.TokenType;
import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ClientBinding;
import dev.postern.core.testing.KeyDefaults;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of token authentication with the defaults of the configuration, except for what a test changes. */
public final class TestSettings {

    private List<String> originNames = List.of("gateway.example");
    private List<Integer> tokenTypes = List.of(2);
    private AuthSettings.Mode enforcement = AuthSettings.Mode.ENFORCE;
    private String tokenHeader = "authorization";
    private Duration challengeWindow = Duration.ofMinutes(10);
    private Duration clockSkew = Duration.ofSeconds(30);
    private boolean grease;
    private Duration sessionLifetime = Duration.ofMinutes(30);
    private List<ClientBinding> sessionBind = List.of(ClientBinding.AGENT);
    private @Nullable Rate sessionRate;

    public TestSettings originNames(String... names) {
        originNames = List.of(names);
        return this;
    }

    public TestSettings tokenTypes(TokenType... types) {
        tokenTypes = Arrays.stream(types).map(TokenType::value).toList();
        return this;
    }

    public TestSettings reportOnly() {
        enforcement = AuthSettings.Mode.REPORT_ONLY;
        return this;
    }

    public TestSettings tokenHeader(String name) {
        tokenHeader = name;
        return this;
    }

    public TestSettings windows(Duration window, Duration skew) {
        challengeWindow = window;
        clockSkew = skew;
        return this;
    }

    public TestSettings grease() {
        grease = true;
        return this;
    }

    public TestSettings sessionBind(ClientBinding... properties) {
        sessionBind = List.of(properties);
        return this;
    }

    public TestSettings sessionRate(@Nullable Rate rate) {
        sessionRate = rate;
        return this;
    }

    public TestSettings sessionLifetime(Duration lifetime) {
        sessionLifetime = lifetime;
        return this;
    }

    public AuthSettings of(IssuerSettings... issuers) {
        return new AuthSettings(
                originNames,
                tokenTypes,
                enforcement,
                tokenHeader,
                challengeWindow,
                clockSkew,
                Duration.ofDays(90),
                grease,
                Rate.of("100/s"),
                new SessionSettings(sessionLifetime, "postern-session", sessionBind, sessionRate),
                List.of(issuers),
                null,
                KeyDefaults.of(LedgerSettings.class));
    }

    /** Returns an environment without sessions, whose ledger knows no spent tokens locally. */
    public static Auth.Environment environment(
            KeyRing ring, MeterRegistry registry, InstantSource clock, Supplier<byte[]> epoch) {
        return environment("default", ring, registry, clock, epoch);
    }

    public static Auth.Environment environment(
            String namespace, KeyRing ring, MeterRegistry registry, InstantSource clock, Supplier<byte[]> epoch) {
        return new Auth.Environment(
                namespace, false, ring, registry, clock, Ticker.systemTicker(), new Auth.Memory(epoch, key -> false));
    }

    public static IssuerSettings issuer(String name, URI directory) {
        return issuer(name, directory, Duration.ofHours(1));
    }

    public static IssuerSettings issuer(String name, URI directory, Duration refresh) {
        return issuer(name, directory, refresh, List.of(), List.of(), List.of());
    }

    /** Returns settings of an issuer whose keys stand in the configuration. */
    public static IssuerSettings issuerWithKeys(String name, String... publicKeys) {
        return issuer(name, null, Duration.ofHours(1), List.of(publicKeys), List.of(), List.of());
    }

    public static IssuerSettings issuerWithFile(String name, Path publicKey, String... publicKeys) {
        return issuer(name, null, Duration.ofHours(1), List.of(publicKeys), List.of(publicKey), List.of());
    }

    public static IssuerSettings issuerWithSecrets(String name, @Nullable URI directory, List<Path> privateKeys) {
        return issuer(name, directory, Duration.ofHours(1), List.of(), List.of(), privateKeys);
    }

    /** Returns a copy with these pinned and revoked key ids. */
    public static IssuerSettings restricted(IssuerSettings issuer, List<String> pin, List<String> revoked) {
        return new IssuerSettings(
                issuer.name(),
                issuer.directory(),
                issuer.refresh(),
                issuer.keyGrace(),
                issuer.publicKeys(),
                issuer.publicKeyFiles(),
                issuer.privateKeyFiles(),
                pin,
                revoked);
    }

    private static IssuerSettings issuer(
            String name,
            @Nullable URI directory,
            Duration refresh,
            List<String> publicKeys,
            List<Path> publicKeyFiles,
            List<Path> privateKeyFiles) {
        return new IssuerSettings(
                name,
                directory == null ? null : directory.toString(),
                refresh,
                Duration.ZERO,
                publicKeys,
                publicKeyFiles,
                privateKeyFiles,
                List.of(),
                List.of());
    }
}
