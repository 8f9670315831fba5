package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.ConfigRate;
import dev.postern.app.config.type.Key;
import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may pass: Privacy Pass by RFC 9576, 9577 and 9578. */
public record PrivacyPassConfig(
        @Key(
                or = "[]",
                says = "Origins that challenges name; empty leaves them out, and tokens are then not bound to a site.")
        List<String> originNames,

        @Key(
                or = "[2]",
                says = "Token types asked for, in the order in which clients see them: 2 is blind RSA, publicly"
                        + " verifiable; 1 is VOPRF, which needs the issuer's `private-key-files`.")
        List<Integer> tokenTypes,

        @Key(
                or = "enforce",
                says = "`report-only` lets everybody pass: tokens are checked and spent, and what would have been"
                        + " refused is only counted and logged; upstreams see no token, and responses offer the"
                        + " challenges.")
        Enforcement enforcement,

        @Key(
                or = "authorization",
                says = "The field that carries the token, for sites that need Authorization themselves.")
        String tokenHeader,

        @Key(or = "10m", says = "How long a challenge is given out; it is accepted for one window more.")
        ConfigDuration challengeWindow,

        @Key(or = "30s", says = "How far the clocks of replicas and issuers may be apart.")
        ConfigDuration clockSkew,

        @Key(
                formerly = "key-life",
                or = "90d",
                says = "Only for routes with an empty context: tokens of a key pass for so long after its"
                        + " `not-before`, and their spends are remembered as long. An issuer that names no"
                        + " `not-before` has to drop its keys in time by itself.")
        ConfigDuration keyMaxLifetime,

        @Key(
                or = "false",
                says = "Whether to put a challenge that nobody can answer among the real ones, in one of four responses"
                        + " and anywhere, so that clients stay able to skip types they don't know (RFC 9577"
                        + " section 4.1). Some clients fail on it.")
        boolean grease,

        @Key(
                or = "100/s",
                says = "Failed verifications per client prefix (/24, /56); past it its tokens are verified only when"
                        + " there is time to spare. 0 for no limit.")
        ConfigRate failureBudget,

        @Key(or = "{}", says = "The cookie that `token: session` sells for a token.")
        Session session,

        @Key(or = "[]", says = "Whose tokens are accepted.") List<Issuer> issuers,

        @Key(
                or = "null",
                says = "Folder for the last good keys of each issuer, one file each; a gateway that starts while an"
                        + " issuer is away begins with them. Only who may decide whose tokens pass should be able"
                        + " to write there.")
        @Nullable
        String keyCache,

        @Key(or = "{}", says = "The store that remembers which tokens were spent.")
        LedgerConfig ledger) {

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
                        clockSkew.nanos() <= challengeWindow.nanos() / 2,
                        new Checks.Fault(
                                "clock-skew",
                                clockSkew,
                                "half of challenge-window at most, which is " + challengeWindow),
                        new Checks.Fault(
                                "challenge-window",
                                challengeWindow,
                                "at least twice clock-skew, which is " + clockSkew));
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

    /** Whether tokens are really required. */
    public enum Enforcement {
        ENFORCE,
        REPORT_ONLY
    }

    /** The cookie that {@code token: session} sells for a token. */
    public record Session(
            @Key(or = "30m", says = "How long it is valid from the token's spend on; using it doesn't make it longer.")
            ConfigDuration lifetime,

            @Key(or = "postern-session", says = "Its name; on TLS with `__Host-` before it.")
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

    /** Somebody whose tokens are accepted: a directory to ask, or keys as they are. */
    public record Issuer(
            @Key(
                    example = "issuer.example",
                    says = "Its name in challenges. Clients derive the URL of its directory from it"
                            + " (`https://NAME/.well-known/private-token-issuer-directory`), so it is the host, and the"
                            + " port where that is not 443, at which they reach it.")
            String name,

            @Key(
                    or = "null",
                    example = "https://issuer.example/.well-known/private-token-issuer-directory",
                    says = "Address of its directory (RFC 9578 section 4).")
            @Nullable
            String directory,

            @Key(or = "1h", says = "Ask the directory again after so long, whatever its caching says.")
            ConfigDuration refresh,

            @Key(or = "0s", says = "How long a key that left the directory is still accepted.")
            ConfigDuration keyGrace,

            @Key(or = "[]", says = "Keys instead of a directory: base64url of their DER.")
            List<String> publicKeys,

            @Key(or = "[]", says = "Files with keys instead of a directory: DER or base64url.")
            List<String> publicKeyFiles,

            @Key(
                    or = "[]",
                    says = "Files with the issuer's secret keys, or folders of such files ending in `.key`, for token"
                            + " type 1, which nobody else can check. Beside a directory they serve the keys that"
                            + " it lists, and folders are read again when it changes; without one they are all the"
                            + " keys.")
            List<String> privateKeyFiles,

            @Key(
                    or = "[]",
                    says = "Only keys with these key ids (hex) are taken from the directory; one that lists none of"
                            + " them is not used.")
            List<String> pin,

            @Key(
                    or = "[]",
                    says = "Keys with these key ids (hex) are never accepted, whatever the directory says: for"
                            + " compromised ones.")
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

        /** A directory's address; throws {@link IllegalArgumentException} whose message is what was expected. */
        public static URI address(String directory) {
            try {
                URI uri = new URI(directory);
                boolean spoken = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
                if (spoken && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getPort() <= 65535) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // Its message quotes what may be a password.
            }
            throw new IllegalArgumentException("an http or https URL with a host and without credentials");
        }

        /** Users and passwords have no business here, and are not shown where they stand here all the same. */
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
