package dev.postern.app.config.read;

import dev.postern.core.tls.certificate.CertificateChain;
import dev.postern.core.tls.certificate.PemChecks;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that certificates can be read, match their keys, and are valid now and in 14 days, each signed by the next one. */
final class CertificateChecks {

    private static final Duration SOON = Duration.ofDays(14);

    private final InstantSource clock;
    private final Findings findings;
    private final Map<String, List<String>> names = new HashMap<>();

    CertificateChecks(InstantSource clock, Findings findings) {
        this.clock = clock;
        this.findings = findings;
    }

    /** Checks a chain and its key; all certificates of the chain must be valid. */
    void pair(String path, Path certificate, Path key) {
        try {
            List<X509Certificate> chain = PemChecks.pair(certificate, key);
            for (X509Certificate one : chain) {
                validity(path + "/certificate-file", certificate, one, true);
            }
            chain(path + "/certificate-file", certificate, new CertificateChain(chain));
            names.put(path, PemChecks.names(chain.get(0)));
        } catch (IllegalArgumentException e) {
            findings.problem(path, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the DNS names of the certificates checked so far, by the path of the pair; none for a pair that can't be used. */
    Map<String, List<String>> names() {
        return Map.copyOf(names);
    }

    private void chain(String path, Path file, CertificateChain chain) {
        CertificateChain.@Nullable Fault fault = chain.fault();
        if (fault != null) {
            String text = file + ": " + ShownText.line(fault.text());
            if (fault.broken()) {
                findings.problem(path, text);
            } else {
                findings.warning(path, text);
            }
        }
    }

    /** Checks an OCSP response; warns if it is not stapled. */
    void ocsp(String path, Path certificate, Path response) {
        try {
            PemChecks.ocsp(certificate, response, clock.instant());
        } catch (IllegalArgumentException e) {
            findings.warning(path, response + ": not stapled: " + e.getMessage());
        }
    }

    /** Checks a file of authorities, of which any may be needed: a problem only if none is valid. */
    void authorities(String path, Path file) {
        try {
            List<X509Certificate> all = PemChecks.authorities(file);
            boolean none = all.stream().allMatch(this::expired);
            for (X509Certificate one : all) {
                validity(path, file, one, none);
            }
        } catch (IllegalArgumentException e) {
            findings.problem(path, String.valueOf(e.getMessage()));
        }
    }

    private void validity(String path, Path file, X509Certificate certificate, boolean needed) {
        Instant now = clock.instant();
        Instant end = certificate.getNotAfter().toInstant();
        Instant begin = certificate.getNotBefore().toInstant();
        String name = file + ": "
                + ShownText.line(certificate.getSubjectX500Principal().getName());
        if (expired(certificate) && needed) {
            findings.problem(path, name + " expired at " + end + " (expected: a certificate that is valid; renew it)");
        } else if (expired(certificate)) {
            findings.warning(path, name + " expired at " + end + "; remove it");
        } else if (end.isBefore(now.plus(SOON))) {
            findings.warning(
                    path,
                    name + " expires at " + end + ", in "
                            + Duration.between(now, end).toDays() + " days; renew it");
        } else if (begin.isAfter(now)) {
            findings.warning(path, name + " is not valid before " + begin + "; check the clock");
        }
    }

    private boolean expired(X509Certificate certificate) {
        return clock.instant().isAfter(certificate.getNotAfter().toInstant());
    }
}
