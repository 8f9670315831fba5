package dev.postern.auth;

import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.ChallengeWindows;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Settings below {@code privacy-pass} that decide which tokens pass; the ledger has settings of its own.
 *
 * @param namespace of the instance: gateways with different namespaces have separate ledgers and reject each other's tokens
 * @param originNames names of the gateway in challenges, {@code host[:port]} each; all replicas need the same order, because the order
 *     changes the bytes of a challenge
 * @param tokenHeader name of the field with the token; {@code authorization} also stands for {@code proxy-authorization} on forward
 *     listeners
 * @param challengeWindow 1 second to 1 day
 * @param clockSkew between gateways, up to half of the window
 * @param issuers in the order in which they are offered to clients
 * @param tokenTypes token types in the order in which they are offered to clients
 * @param modes enforcement and optional features
 */
public record AuthSettings(
        String namespace,
        List<String> originNames,
        String tokenHeader,
        Duration challengeWindow,
        Duration clockSkew,
        List<IssuerSettings> issuers,
        List<TokenType> tokenTypes,
        AuthModes modes) {

    public static final List<TokenType> DEFAULT_TOKEN_TYPES = List.of(TokenType.BLIND_RSA);
    public static final List<String> DEFAULT_ORIGIN_NAMES = List.of("gateway.example");
    public static final String DEFAULT_TOKEN_HEADER = "authorization";
    public static final Duration DEFAULT_CHALLENGE_WINDOW = Duration.ofMinutes(10);
    public static final Duration DEFAULT_CLOCK_SKEW = Duration.ofSeconds(30);

    public AuthSettings {
        originNames = List.copyOf(originNames);
        issuers = List.copyOf(issuers);
        tokenTypes = List.copyOf(tokenTypes);
        tokenHeader = tokenHeader.toLowerCase(Locale.ROOT);
        for (String name : originNames) {
            if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c < 0x7f && c != ',')) {
                throw new IllegalArgumentException("origin-names: " + name + " (expected: host or host:port in ASCII)");
            }
        }
        if (!tokenHeader.matches("[!#$%&'*+.^_`|~0-9a-z-]+")) {
            throw new IllegalArgumentException("token-header: " + tokenHeader + " (expected: the name of a field)");
        }
        if (issuers.stream().map(IssuerSettings::name).distinct().count() != issuers.size()) {
            throw new IllegalArgumentException("issuers: " + issuers.size() + " names (expected: each once)");
        }
        if (tokenTypes.isEmpty() || tokenTypes.stream().distinct().count() != tokenTypes.size()) {
            throw new IllegalArgumentException(
                    "token-types: " + tokenTypes.size() + " (expected: one or more, each once)");
        }
        // The constructor throws with the reason when the durations are wrong.
        ChallengeWindows checked = new ChallengeWindows(challengeWindow, clockSkew);
        clockSkew = checked.skew();
    }

    /** Creates settings with the default modes. */
    public AuthSettings(
            String namespace,
            List<String> originNames,
            String tokenHeader,
            Duration challengeWindow,
            Duration clockSkew,
            List<IssuerSettings> issuers,
            List<TokenType> tokenTypes) {
        this(namespace, originNames, tokenHeader, challengeWindow, clockSkew, issuers, tokenTypes, AuthModes.DEFAULT);
    }

    /** Returns default settings with these issuers. */
    public static AuthSettings of(List<IssuerSettings> issuers) {
        return new AuthSettings(
                "default",
                DEFAULT_ORIGIN_NAMES,
                DEFAULT_TOKEN_HEADER,
                DEFAULT_CHALLENGE_WINDOW,
                DEFAULT_CLOCK_SKEW,
                issuers,
                DEFAULT_TOKEN_TYPES);
    }

    /** Returns these settings with other token types. */
    public AuthSettings withTokenTypes(List<TokenType> types) {
        return new AuthSettings(namespace, originNames, tokenHeader, challengeWindow, clockSkew, issuers, types, modes);
    }

    ChallengeWindows windows() {
        return new ChallengeWindows(challengeWindow, clockSkew);
    }
}
