package dev.postern.app.config;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import dev.postern.core.config.Checks;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Privacy Pass settings (RFC 9576, 9577 and 9578). */
public record PrivacyPassConfig(
        @Key(or = "[]", says = "Origin names in challenges; empty: tokens are not bound to a site.")
        List<String> originNames,

        @Key(
                or = "[2]",
                says = "Token types in challenges, in this order: 2 is blind RSA, publicly verifiable; 1 is VOPRF and"
                        + " needs `private-key-files`.")
        List<Integer> tokenTypes,

        @Key(
                or = "enforce",
                says = "`report-only`: tokens are checked and spent, but refusals only counted and logged. Upstreams"
                        + " see no token; responses carry the challenges.")
        Enforcement enforcement,

        @Key(
                or = "authorization",
                says = "Request field with the token, for sites that use `Authorization` themselves.")
        String tokenHeader,

        @Key(or = "10m", says = "Time in which a challenge is issued; it is accepted for one more window.")
        Duration challengeWindow,

        @Key(or = "30s", says = "Maximum difference between clocks of replicas and issuers.")
        Duration clockSkew,

        @Key(
                formerly = "key-life",
                or = "90d",
                says = "For routes with `context: empty`: time after a key's `not-before` in which its tokens are"
                        + " accepted and their spends kept. An issuer without `not-before` must remove keys itself.")
        Duration keyMaxLifetime,

        @Key(
                or = "false",
                says = "Adds a challenge of an unknown type to one of four challenge responses, so that clients keep"
                        + " ignoring these (RFC 9577 section 4.1). Some clients fail on it.")
        boolean grease,

        @Key(
                or = "100/s",
                says = "Failed verifications of a client prefix (/24, /56); beyond it tokens are verified only with"
                        + " spare capacity. 0: no limit.")
        Rate failureBudget,

        @Key(or = "{}", says = "Cookie of routes with `token: session`.")
        Session session,

        @Key(or = "[]", says = "Issuers of accepted tokens.")
        List<Issuer> issuers,

        @Key(
                or = "null",
                says = "Folder for the last valid keys of each issuer, used at start while the issuer is unavailable."
                        + " Write access decides which tokens are accepted.")
        @Nullable
        String keyCache,

        @Key(or = "{}", says = "Store of spent tokens.") LedgerSettings ledger) {

    public PrivacyPassConfig {
        originNames = List.copyOf(originNames);
        tokenTypes = List.copyOf(tokenTypes);
        issuers = List.copyOf(issuers);
        Checks checks = Checks.of()
                .that(
                        !tokenTypes.isEmpty() && tokenTypes.stream().distinct().count() == tokenTypes.size(),
                        "token-types",
                        tokenTypes,
                        "one or more, each once")
                .that(tokenHeader.matches("[a-z0-9-]{1,64}"), "token-header", tokenHeader, "a field name in lower case")
                .between("challenge-window", challengeWindow, "1s", "1d")
                .between("clock-skew", clockSkew, "0", "12h")
                .between("key-max-lifetime", keyMaxLifetime, "1h", "3660d")
                .fit(
                        clockSkew.compareTo(challengeWindow.dividedBy(2)) <= 0,
                        new Checks.Fault(
                                "clock-skew",
                                clockSkew,
                                "half of challenge-window at most, which is " + DurationText.format(challengeWindow)),
                        new Checks.Fault(
                                "challenge-window",
                                challengeWindow,
                                "at least twice clock-skew, which is " + DurationText.format(clockSkew)));
        for (int i = 0; i < tokenTypes.size(); i++) {
            checks.that(
                    TokenType.of(tokenTypes.get(i)) != null,
                    "token-types." + i,
                    tokenTypes.get(i),
                    "one of " + TokenScheme.types());
        }
        for (int i = 0; i < originNames.size(); i++) {
            checks.that(
                    isOriginName(originNames.get(i)),
                    "origin-names." + i,
                    originNames.get(i),
                    "a host name in lower case");
        }
        checks.done();
    }

    static boolean isOriginName(String name) {
        return name.matches("[a-z0-9.:_\\[\\]-]{1,255}");
    }

    /** Enforcement of the token requirement. */
    public enum Enforcement {
        ENFORCE,
        REPORT_ONLY
    }

    /** Session cookie of routes with {@code token: session}. */
    public record Session(
            @Key(or = "30m", says = "Validity from the spend of the token; use does not extend it.")
            Duration lifetime,

            @Key(or = "postern-session", says = "Name; with the prefix `__Host-` over TLS.")
            String cookie) {

        public Session {
            Checks.of()
                    .between("lifetime", lifetime, "1s", "30d")
                    .that(
                            cookie.matches("[A-Za-z0-9.-][A-Za-z0-9._-]{0,63}"),
                            "cookie",
                            cookie,
                            "1 to 64 letters, digits, dots, dashes or underscores")
                    .done();
        }
    }

    /** Issuer of accepted tokens: a directory, or keys in the configuration. */
    public record Issuer(
            @Key(
                    example = "issuer.example",
                    says = "Name in challenges: host (and port, if not 443) where clients find"
                            + " `https://NAME/.well-known/private-token-issuer-directory`.")
            String name,

            @Key(
                    or = "null",
                    example = "https://issuer.example/.well-known/private-token-issuer-directory",
                    says = "URL of the issuer directory (RFC 9578 section 4).")
            @Nullable
            String directory,

            @Key(or = "1h", says = "Time between two requests to the directory, whatever its caching fields say.")
            Duration refresh,

            @Key(or = "0s", says = "Time in which a key is still accepted after it left the directory.")
            Duration keyGrace,

            @Key(or = "[]", says = "Keys instead of a directory: base64url of DER.")
            List<String> publicKeys,

            @Key(or = "[]", says = "Files with keys instead of a directory: DER or base64url.")
            List<String> publicKeyFiles,

            @Key(
                    or = "[]",
                    says = "Files with private keys, or folders of `*.key` files, for token type 1. With a directory"
                            + " only listed keys are used, and folders are read again when it changes.")
            List<String> privateKeyFiles,

            @Key(
                    or = "[]",
                    says = "Only keys with these ids (hex) are taken from the directory; a directory without any of"
                            + " them is ignored.")
            List<String> pin,

            @Key(or = "[]", says = "Keys with these ids (hex) are never accepted.")
            List<String> revoked) {

        public Issuer {
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
                checks.parses("directory", shown(directory), () -> address(directory));
            }
            checks.between("refresh", refresh, "1s", "30d").between("key-grace", keyGrace, "0", "30d");
            keyIds(checks, "pin", pin);
            keyIds(checks, "revoked", revoked);
            checks.done();
        }

        /** Parses the URL of a directory; the message of the {@link IllegalArgumentException} says what was expected. */
        public static URI address(String directory) {
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

        private static void keyIds(Checks checks, String key, List<String> ids) {
            for (int i = 0; i < ids.size(); i++) {
                checks.that(ids.get(i).matches("[0-9a-f]{64}"), key + "." + i, ids.get(i), "64 hex digits: a key id");
            }
        }
    }
}
