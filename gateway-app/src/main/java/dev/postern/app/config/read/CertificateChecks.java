package dev.postern.app.config.read;

import dev.postern.core.tls.certificate.PemChecks;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Checks that certificates can be read, match their keys, and are valid now and in 14 days. */
final class CertificateChecks {

    private static final Duration SOON = Duration.ofDays(14);

    private final InstantSource clock;
    private final Findings findings;

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
        } catch (IllegalArgumentException e) {
            findings.problem(path, String.valueOf(e.getMessage()));
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
