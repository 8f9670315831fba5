package dev.postern.app.config.read;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.type.AddressFiles;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.app.context.Baseline;
import dev.postern.app.trace.Collector;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.key.SecretKeys;
import dev.postern.auth.key.StaticKeys;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.route.ErrorPages;
import dev.postern.core.tls.ServerTls;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.waiting.WaitingLanguages;
import dev.postern.ratelimit.waiting.WaitingPage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks that the files of a configuration have valid content, and that the Redis client can read its URI. */
final class FileChecks {

    private static final int LARGEST_PAGE = 256 * 1024;

    private final GatewayConfig config;
    private final KeyFiles files;
    private final Findings findings;
    private final FileModes modes;
    private final CertificateChecks certificates;

    FileChecks(GatewayConfig config, KeyFiles files, InstantSource clock, Findings findings) {
        this.config = config;
        this.files = files;
        this.findings = findings;
        this.modes = new FileModes(findings);
        this.certificates = new CertificateChecks(clock, findings);
    }

    void run() {
        content("secrets/ring-file", KeyRing::read);
        redis();
        admin();
        content("admin/baseline-file", file -> Baseline.parse(Files.readString(file)));
        content("tracing/headers-file", Collector::fields);
        extensions();
        for (int i = 0; i < config.listeners().size(); i++) {
            addresses(
                    "listeners/" + i,
                    config.listeners().get(i).allow(),
                    config.listeners().get(i).deny());
            tls("listeners/" + i + "/tls/", config.listeners().get(i).tls());
        }
        new SiteNameChecks(config, findings).certificates(certificates.names());
        for (int i = 0; i < config.upstreams().size(); i++) {
            authorities("upstreams/" + i + "/tls/ca-file");
            pair("upstreams/" + i + "/tls");
        }
        for (int i = 0; i < config.rateLimits().size(); i++) {
            FairQueueSettings queue = config.rateLimits().get(i).fairQueue();
            if (queue != null) {
                waitingPage("rate-limits/" + i + "/fair-queue/page/", queue.page());
            }
        }
        for (int i = 0; i < config.routes().size(); i++) {
            addresses(
                    "routes/" + i,
                    config.routes().get(i).allow(),
                    config.routes().get(i).deny());
            page("routes/" + i + "/maintenance/page");
            for (String refusal : config.routes().get(i).errorPages().keySet()) {
                errorPage(ConfigNode.child("routes/" + i + "/error-pages", refusal));
            }
        }
        List<IssuerSettings> issuers = config.privacyPass().issuers();
        for (int i = 0; i < issuers.size(); i++) {
            for (int k = 0; k < issuers.get(i).publicKeyFiles().size(); k++) {
                publicKey("privacy-pass/issuers/" + i + "/public-key-files/" + k);
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

    private void admin() {
        ContentCheck token = file -> AdminToken.read("", AdminToken.Rights.READ, file);
        content("admin/token-file", token);
        for (int i = 0; i < config.admin().tokens().size(); i++) {
            content("admin/tokens/" + i + "/file", token);
        }
        tls("admin/tls/", config.admin().tls());
    }

    private void tls(String path, ServerTls.@Nullable Settings tls) {
        if (tls != null) {
            certificates(path + "certificates/", tls.certificates().size());
            authorities(path + "client-ca-file");
        }
    }

    /** Check of a file's content, whose exception says what was expected. */
    private interface ContentCheck {
        void read(Path file) throws IOException;
    }

    private void content(String path, ContentCheck check) {
        KeyFiles.Named named = files.named(path);
        if (named != null) {
            try {
                check.read(named.file());
            } catch (IOException | IllegalArgumentException e) {
                findings.problem(path, named.text() + ": " + content(e));
            }
        }
    }

    private void addresses(String path, List<String> allow, List<String> deny) {
        for (int i = 0; i < allow.size(); i++) {
            addresses(path + "/allow/" + i);
        }
        for (int i = 0; i < deny.size(); i++) {
            addresses(path + "/deny/" + i);
        }
    }

    private void addresses(String path) {
        KeyFiles.Named named = files.named(path);
        if (named != null) {
            try {
                AddressFiles.read(named.file());
            } catch (IllegalArgumentException e) {
                findings.problem(path, String.valueOf(e.getMessage()));
            }
        }
    }

    private void page(String path) {
        KeyFiles.Named named = files.named(path);
        if (named == null) {
            return;
        }
        try {
            if (Files.size(named.file()) > LARGEST_PAGE) {
                findings.problem(path, named.text() + " (expected: up to " + LARGEST_PAGE + " bytes)");
            }
        } catch (IOException e) {
            findings.problem(path, named.text() + " (expected: a file that can be read)");
        }
    }

    private void errorPage(String path) {
        page(path);
        KeyFiles.Named named = files.named(path);
        if (named != null) {
            try {
                ErrorPages.page(Files.readString(named.file()));
            } catch (IOException e) {
                findings.problem(path, named.text() + " (expected: HTML in UTF-8)");
            } catch (IllegalArgumentException e) {
                findings.problem(path, named.text() + ": " + e.getMessage());
            }
        }
    }

    private void secrets(String path, Path file) {
        try {
            SecretKeys.read(List.of(file));
            modes.secret(path, file);
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            findings.problem(path, withoutKey(e));
        }
    }

    private void publicKey(String path) {
        KeyFiles.Named named = files.named(path);
        if (named != null) {
            holds(path, named.text(), () -> StaticKeys.read(named.file()));
            modes.trusted(path, named.file());
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
        content("redis/uri-file", named -> {
            RedisAddress address = RedisAddress.of(Files.readString(named).trim());
            DangerChecks.redis("redis/uri-file", address, config.redis().sentinel(), findings);
        });
    }

    /** @param uriFile file with the URI, which then shows only at run time whether it is for TLS; null for none */
    private void redisCertificates(@Nullable String uriFile) {
        RedisSettings.Tls tls = config.redis().tls();
        if (tls != null) {
            authorities("redis/tls/ca-file");
            pair("redis/tls");
            if (uriFile == null && !config.redis().uri().startsWith("rediss://")) {
                findings.problem("redis/tls", "files (expected: nothing, or redis.uri with rediss://)");
            }
        }
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
        KeyFiles.Named template = files.named(path + "template");
        if (template != null) {
            try {
                WaitingPage.of(Files.readString(template.file()));
            } catch (IOException e) {
                findings.problem(path + "template", template.text() + " (expected: HTML in UTF-8)");
            } catch (IllegalArgumentException e) {
                findings.problem(path + "template", template.text() + ": " + withoutKey(e));
            }
        }
    }

    /** Returns the message without its key, because the problem names the key. */
    private static String withoutKey(Exception e) {
        return String.valueOf(e.getMessage()).replaceFirst("^[a-z.-]+: ", "");
    }

    private void extensions() {
        boolean given = config.extensions().folder() != null;
        KeyFiles.Named folder = files.named("extensions/folder");
        boolean named = config.upstreams().stream().anyMatch(u -> !UpstreamConfig.BALANCES.contains(u.balance()));
        if (given ? folder == null : !named) {
            return;
        }
        Path jars = folder == null ? null : folder.file();
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
            String others = rules.isEmpty() ? "" : ", or one of the extensions' " + String.join(", ", rules);
            findings.problem(path, name + " (expected: " + known + others + ")");
        }
    }

    private void certificates(String path, int count) {
        for (int i = 0; i < count; i++) {
            KeyFiles.Named certificate = pair(path + i);
            KeyFiles.Named ocsp = files.named(path + i + "/ocsp-file");
            if (ocsp != null && certificate != null) {
                certificates.ocsp(path + i + "/ocsp-file", certificate.file(), ocsp.file());
            }
        }
    }

    /** Checks a certificate chain and its key; returns the chain if both can be read. */
    private KeyFiles.@Nullable Named pair(String path) {
        KeyFiles.Named certificate = files.named(path + "/certificate-file");
        KeyFiles.Named key = files.named(path + "/private-key-file");
        if (certificate == null || key == null) {
            return null;
        }
        certificates.pair(path, certificate.file(), key.file());
        return certificate;
    }

    private void authorities(String path) {
        KeyFiles.Named named = files.named(path);
        if (named != null) {
            certificates.authorities(path, named.file());
        }
    }
}
