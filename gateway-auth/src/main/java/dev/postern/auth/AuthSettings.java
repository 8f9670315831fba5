package dev.postern.auth;

import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.session.SessionSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.core.config.Checks;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of token authentication (RFC 9576, 9577 and 9578), section {@code privacy-pass} of the configuration. */
public record AuthSettings(
        @Key(defaultValue = "[]", description = "Origin names in challenges; empty: tokens are not bound to a site.")
        List<String> originNames,

        @Key(
                defaultValue = "[2]",
                description =
                        "Token types in challenges, in this order: 2 is blind RSA, publicly verifiable; 1 is VOPRF and"
                                + " needs `private-key-files`.")
        List<Integer> tokenTypes,

        @Key(
                defaultValue = "enforce",
                description =
                        "`report-only`: tokens are checked and spent, but refusals only counted and logged. Upstreams"
                                + " see no token; responses carry the challenges.")
        Mode enforcement,

        @Key(
                defaultValue = "authorization",
                description = "Request field with the token, for sites that use `Authorization` themselves.")
        String tokenHeader,

        @Key(
                defaultValue = "10m",
                min = "1s",
                max = "1d",
                description = "Time in which a challenge is issued; it is accepted for one more window.")
        Duration challengeWindow,

        @Key(
                defaultValue = "30s",
                min = "0",
                max = "12h",
                description = "Maximum difference between clocks of replicas and issuers.")
        Duration clockSkew,

        @Key(
                formerly = "key-life",
                defaultValue = "90d",
                min = "1h",
                max = "3660d",
                needs = "routes[].challenge.context: empty",
                description = "Time after a key's `not-before` in which its tokens are"
                        + " accepted and their spends kept. An issuer without `not-before` must remove keys itself.")
        Duration keyMaxLifetime,

        @Key(
                defaultValue = "false",
                description =
                        "Adds a challenge of an unknown type to one of four challenge responses, so that clients keep"
                                + " ignoring these (RFC 9577 section 4.1). Some clients fail on it.")
        boolean grease,

        @Key(
                defaultValue = "100/s",
                description =
                        "Failed verifications of a client prefix (/24, /56) that no accepted token offsets; beyond it"
                                + " tokens are verified only with spare capacity. 0: no limit.")
        Rate failureBudget,

        @Key(defaultValue = "{}", needs = "routes[].token: session", description = "Session cookie.")
        SessionSettings session,

        @Key(defaultValue = "[]", description = "Issuers of accepted tokens.")
        List<IssuerSettings> issuers,

        @Key(
                defaultValue = "null",
                file = FileKind.FOLDER,
                needs = "issuers[].directory",
                description =
                        "Folder for the last valid keys of each issuer, used at start while the issuer is unavailable."
                                + " Write access decides which tokens are accepted.")
        @Nullable
        Path keyCache,

        @Key(defaultValue = "{}", description = "Store of spent tokens.", restart = true)
        LedgerSettings ledger) {

    public AuthSettings {
        originNames = List.copyOf(originNames);
        tokenTypes = List.copyOf(tokenTypes);
        issuers = List.copyOf(issuers);
        Checks.of()
                .that(
                        !tokenTypes.isEmpty() && tokenTypes.stream().distinct().count() == tokenTypes.size(),
                        "token-types",
                        tokenTypes,
                        "one or more, each once")
                .that(tokenHeader.matches("[a-z0-9-]{1,64}"), "token-header", tokenHeader, "a field name in lower case")
                .fit(
                        clockSkew.compareTo(challengeWindow.dividedBy(2)) <= 0,
                        new Checks.Fault(
                                "clock-skew",
                                clockSkew,
                                "half of challenge-window at most, which is " + DurationText.format(challengeWindow)),
                        new Checks.Fault(
                                "challenge-window",
                                challengeWindow,
                                "at least twice clock-skew, which is " + DurationText.format(clockSkew)))
                .each("token-types", tokenTypes, type -> TokenType.of(type) != null, "one of " + TokenScheme.types())
                .each("origin-names", originNames, AuthSettings::isOriginName, "a host name in lower case")
                .done();
    }

    public static boolean isOriginName(String name) {
        return name.matches("(?!\\.)[a-z0-9.:_\\[\\]-]{1,255}");
    }

    /** Mode of enforcement of the token requirement. */
    public enum Mode {
        ENFORCE,
        REPORT_ONLY
    }

    /** Returns the token types in the order in which they are offered to clients. */
    List<TokenType> types() {
        return tokenTypes.stream().map(TokenType::of).filter(Objects::nonNull).toList();
    }
}
