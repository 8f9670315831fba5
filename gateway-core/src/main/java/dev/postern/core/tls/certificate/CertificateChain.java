package dev.postern.core.tls.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chain of certificates as its file has it (RFC 8446 section 4.4.2): each certificate is signed by the next one. Servers send the file as it
 * is, and clients that have not stored the intermediate certificates can't repair it. A plain rule.
 *
 * @param certificates that of the server first
 */
public record CertificateChain(List<X509Certificate> certificates) {

    public CertificateChain {
        certificates = List.copyOf(certificates);
    }

    /**
     * Fault of a chain.
     *
     * @param broken whether clients can't verify the first certificate with the others
     */
    public record Fault(boolean broken, String text) {}

    /** Returns the fault of the chain; null for none. */
    public @Nullable Fault fault() {
        List<X509Certificate> others = new ArrayList<>(certificates.subList(1, certificates.size()));
        X509Certificate last = certificates.get(0);
        boolean ordered = true;
        boolean signed = false;
        while (!others.isEmpty()) {
            X509Certificate signer = signer(last, others);
            if (signer == null) {
                break;
            }
            ordered &= others.indexOf(signer) == 0;
            others.remove(signer);
            signed = true;
            last = signer;
        }
        if (!signed && !others.isEmpty() && signer(last, List.of(last)) == null) {
            return new Fault(
                    true,
                    name(others.get(0)) + " did not sign " + name(last) + " (expected: the certificate of "
                            + last.getIssuerX500Principal().getName() + ", which did)");
        }
        if (!others.isEmpty()) {
            return new Fault(false, name(others.get(0)) + " signed none of the certificates before it; remove it");
        }
        return ordered ? null : new Fault(false, "not in order; put each certificate before the one that signed it");
    }

    /** Returns the certificate that signed that one; null if none did. */
    private static @Nullable X509Certificate signer(X509Certificate signed, List<X509Certificate> candidates) {
        for (X509Certificate candidate : candidates) {
            if (candidate.getSubjectX500Principal().equals(signed.getIssuerX500Principal())) {
                try {
                    signed.verify(candidate.getPublicKey());
                    return candidate;
                } catch (GeneralSecurityException e) {
                    // another key under the same name, such as that of an authority that was renewed
                }
            }
        }
        return null;
    }

    private static String name(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }
}
