package dev.postern.app.config.read;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.app.context.Baseline;
import dev.postern.app.trace.Collector;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.key.SecretKeys;
import dev.postern.auth.key.StaticKeys;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.waiting.WaitingLanguages;
import dev.postern.ratelimit.waiting.WaitingPage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that the files of a configuration exist and have valid content, and that the Redis client can read its URI. */
final class FileChecks {

    private static final int LARGEST_PAGE = 256 * 1024;

    private final GatewayConfig config;
    private final Path base;
    private final Findings findings;
    private final FileModes modes;
    private final CertificateChecks certificates;

    /** @param base the directory that relative file names start from */
    FileChecks(GatewayConfig config, Path base, InstantSource clock, Findings findings) {
        this.config = config;
        this.base = base;
        this.findings = findings;
        this.modes = new FileModes(findings);
        this.certificates = new CertificateChecks(clock, findings);
    }

    void run() {
        ring();
        redis();
        adminToken();
        baseline();
        collector();
        extensions();
        folder("privacy-pass/key-cache", text(config.privacyPass().keyCache()));
        folder(
                "privacy-pass/ledger/embedded/journal",
                text(config.privacyPass().ledger().embedded().journal()));
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig.Tls tls = config.listeners().get(i).tls();
            if (tls != null) {
                certificates("listeners/" + i + "/tls/certificates/", tls.certificates());
                authorities("listeners/" + i + "/tls/client-ca-file", tls.clientCaFile());
            }
        }
        for (int i = 0; i < config.upstreams().size(); i++) {
            UpstreamConfig.Tls tls = config.upstreams().get(i).tls();
            if (tls != null) {
                authorities("upstreams/" + i + "/tls/ca-file", tls.caFile());
                pair("upstreams/" + i + "/tls", tls.certificateFile(), tls.privateKeyFile());
            }
        }
        for (int i = 0; i < config.rateLimits().size(); i++) {
            FairQueueSettings queue = config.rateLimits().get(i).fairQueue();
            if (queue != null) {
                waitingPage("rate-limits/" + i + "/fair-queue/page/", queue.page());
            }
        }
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig.Maintenance maintenance = config.routes().get(i).maintenance();
            if (maintenance != null) {
                maintenancePage("routes/" + i + "/maintenance/page", maintenance.page());
            }
        }
        List<IssuerSettings> issuers = config.privacyPass().issuers();
        for (int i = 0; i < issuers.size(); i++) {
            for (int k = 0; k < issuers.get(i).publicKeyFiles().size(); k++) {
                publicKey(
                        "privacy-pass/issuers/" + i + "/public-key-files/" + k,
                        issuers.get(i).publicKeyFiles().get(k).toString());
            }
            for (int k = 0; k < issuers.get(i).publicKeys().size(); k++) {
                String text = issuers.get(i).publicKeys().get(k);
                holds("privacy-pass/issuers/" + i + "/public-keys/" + k, text, () -> StaticKeys.read(text));
            }
            for (int k = 0; k < issuers.get(i).privateKeyFiles().size(); k++) {
                secrets(
                        "privacy-pass/issuers/" + i + "/private-key-files/" + k,
                        issuers.get(i).privateKeyFiles().get(k));
            }
        }
    }

    private void maintenancePage(String path, @Nullable String file) {
        try {
            if (readable(path, file) && file != null && Files.size(base.resolve(file)) > LARGEST_PAGE) {
                findings.problem(path, file + " (expected: up to " + LARGEST_PAGE + " bytes)");
            }
        } catch (IOException e) {
            findings.problem(path, file + " (expected: a file that can be read)");
        }
    }

    private void secrets(String path, Path file) {
        Path present = base.resolve(file);
        try {
            SecretKeys.read(List.of(present));
            modes.secret(path, present);
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            findings.problem(path, withoutKey(e));
        }
    }

    private void publicKey(String path, String file) {
        if (readable(path, file)) {
            holds(path, file, () -> StaticKeys.read(base.resolve(file)));
            modes.trusted(path, base.resolve(file));
        }
    }

    private void redis() {
        String file = config.redis().uriFile();
        try {
            RedisAddress address = RedisAddress.of(config.redis().uri());
            if (file == null) {
                DangerChecks.redis("redis/uri", address, config.redis().sentinel(), findings);
            }
        } catch (IllegalArgumentException e) {
            findings.problem("redis/uri", ShownText.HIDDEN + " (expected: " + e.getMessage() + ")");
        }
        redisCertificates(file);
        String path = "redis/uri-file";
        if (secretFile(path, file) && file != null) {
            try {
                String uri = Files.readString(base.resolve(file)).trim();
                DangerChecks.redis(path, RedisAddress.of(uri), config.redis().sentinel(), findings);
            } catch (IOException | IllegalArgumentException e) {
                findings.problem(path, file + ": " + content(e));
            }
        }
    }

    /** @param uriFile file with the URI, which then shows only at run time whether it is for TLS; null for none */
    private void redisCertificates(@Nullable String uriFile) {
        RedisSettings.Tls tls = config.redis().tls();
        if (tls != null) {
            authorities("redis/tls/ca-file", tls.caFile());
            pair("redis/tls", tls.certificateFile(), tls.privateKeyFile());
            if (uriFile == null && !config.redis().uri().startsWith("rediss://")) {
                findings.problem("redis/tls", "files (expected: nothing, or redis.uri with rediss://)");
            }
        }
    }

    /** Returns whether a secret file can be read; checks its modes too. */
    private boolean secretFile(String path, @Nullable String file) {
        boolean good = readable(path, file);
        try {
            if (good && file != null) {
                modes.secret(path, base.resolve(file));
            }
        } catch (IOException e) {
            findings.problem(path, file + " (expected: a file that can be read)");
        }
        return good;
    }

    private void holds(String path, String subject, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            findings.problem(path, ShownText.line(subject) + ": " + content(e));
        }
    }

    /** Describes the fault of a file's content without showing the content. */
    private static String content(Exception e) {
        String text = withoutKey(e);
        return e instanceof CharacterCodingException
                ? "not UTF-8 (expected: text)"
                : text.contains("(expected: ") ? text : "of no known form (expected: " + text + ")";
    }

    private void waitingPage(String path, FairQueueSettings.Page page) {
        try {
            WaitingLanguages.of(page.languages());
        } catch (IllegalArgumentException e) {
            String value = page.languages().isBlank() ? ShownText.line(page.languages()) : "";
            findings.problem(path + "languages", value + withoutKey(e));
        }
        String file = page.template();
        if (readable(path + "template", file) && file != null) {
            try {
                WaitingPage.of(Files.readString(base.resolve(file)));
            } catch (IOException e) {
                findings.problem(path + "template", file + " (expected: HTML in UTF-8)");
            } catch (IllegalArgumentException e) {
                findings.problem(path + "template", file + ": " + withoutKey(e));
            }
        }
    }

    /** Returns the message without its key, because the problem names the key. */
    private static String withoutKey(Exception e) {
        return String.valueOf(e.getMessage()).replaceFirst("^[a-z.-]+: ", "");
    }

    private void ring() {
        String file = config.secrets().ringFile();
        if (secretFile("secrets/ring-file", file) && file != null) {
            try {
                KeyRing.read(base.resolve(file));
            } catch (IOException | IllegalArgumentException e) {
                findings.problem("secrets/ring-file", file + ": " + content(e));
            }
        }
    }

    private void adminToken() {
        String file = config.admin().tokenFile();
        if (secretFile("admin/token-file", file) && file != null) {
            try {
                AdminToken.read(base.resolve(file));
            } catch (IOException | IllegalArgumentException e) {
                findings.problem("admin/token-file", file + ": " + content(e));
            }
        }
    }

    private void baseline() {
        String file = config.admin().baselineFile();
        if (readable("admin/baseline-file", file) && file != null) {
            try {
                Baseline.parse(Files.readString(base.resolve(file)));
            } catch (IOException | IllegalArgumentException e) {
                findings.problem("admin/baseline-file", file + ": " + content(e));
            }
        }
    }

    private void collector() {
        String file = config.tracing().headersFile();
        if (secretFile("tracing/headers-file", file) && file != null) {
            try {
                Collector.fields(base.resolve(file));
            } catch (IOException | IllegalArgumentException e) {
                findings.problem("tracing/headers-file", file + ": " + content(e));
            }
        }
    }

    private void extensions() {
        String folder = config.extensions().folder();
        boolean named = config.upstreams().stream().anyMatch(u -> !UpstreamConfig.BALANCES.contains(u.balance()));
        if (folder == null && !named) {
            return;
        }
        Path jars = folder == null ? null : resolved(folder);
        if (folder != null && jars == null) {
            findings.problem("extensions/folder", ShownText.line(folder) + " (expected: the name of a folder)");
            return;
        }
        try (ExtensionLoader found = ExtensionLoader.load(jars, new SimpleMeterRegistry(), Ticker.systemTicker())) {
            for (int i = 0; i < config.upstreams().size(); i++) {
                balance("upstreams/" + i + "/balance", config.upstreams().get(i).balance(), found.endpointRules());
            }
        } catch (IllegalStateException | IOException e) {
            findings.problem("extensions/folder", String.valueOf(e.getMessage()).replaceFirst("^extensions: ", ""));
        }
    }

    private void balance(String path, String name, List<String> rules) {
        if (!UpstreamConfig.BALANCES.contains(name) && !rules.contains(name)) {
            String known = String.join(" | ", UpstreamConfig.BALANCES);
            findings.problem(path, name + " (expected: " + known + ", or one of the extensions' " + rules + ")");
        }
    }

    private static @Nullable String text(@Nullable Path file) {
        return file == null ? null : file.toString();
    }

    private void folder(String path, @Nullable String folder) {
        Path named = folder == null ? null : resolved(folder);
        if (folder != null && named == null) {
            findings.problem(path, ShownText.line(folder) + " (expected: the name of a folder)");
        }
        Path present = named == null ? null : named.toAbsolutePath();
        while (present != null && !Files.exists(present)) {
            present = present.getParent();
        }
        if (present != null && !(Files.isDirectory(present) && Files.isWritable(present))) {
            findings.problem(path, folder + " (expected: a folder that can be written, or made)");
        }
    }

    private void certificates(String path, List<ListenerConfig.Certificate> certificates) {
        for (int i = 0; i < certificates.size(); i++) {
            ListenerConfig.Certificate one = certificates.get(i);
            boolean matched = pair(path + i, one.certificateFile(), one.privateKeyFile());
            String ocsp = one.ocspFile();
            if (ocsp != null && resolved(ocsp) == null) {
                findings.problem(path + i + "/ocsp-file", ShownText.line(ocsp) + " (expected: a file name)");
            } else if (ocsp != null && matched) {
                this.certificates.ocsp(
                        path + i + "/ocsp-file",
                        base.resolve(one.certificateFile()),
                        base.resolve(ocsp),
                        config.transport().tlsEngine());
            }
        }
    }

    /** Checks a certificate chain and its key, if configured; returns whether both can be read. */
    private boolean pair(String path, @Nullable String certificate, @Nullable String key) {
        boolean matched = readable(path + "/certificate-file", certificate);
        matched &= secretFile(path + "/private-key-file", key);
        if (matched && certificate != null && key != null) {
            certificates.pair(path, base.resolve(certificate), base.resolve(key));
        }
        return matched;
    }

    private void authorities(String path, @Nullable String file) {
        if (readable(path, file) && file != null) {
            certificates.authorities(path, base.resolve(file));
        }
    }

    private boolean readable(String path, @Nullable String file) {
        if (file == null) {
            return false;
        }
        Path present = resolved(file);
        boolean good = present != null && Files.isReadable(present) && !Files.isDirectory(present);
        if (!good) {
            findings.problem(path, ShownText.line(file) + " (expected: a file that can be read)");
        }
        return good;
    }

    /** Resolves a file name; returns null for an impossible name. */
    private @Nullable Path resolved(String file) {
        try {
            return base.resolve(file);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
