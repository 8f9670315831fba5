package dev.postern.core.tls.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** OCSP response (RFC 6960) from a file, checked as a client checks it. */
public final class OcspResponse {

    private OcspResponse() {}

    /**
     * Throws {@link IllegalArgumentException} with the reason unless the response is for the first certificate of the chain, signed for its
     * issuer, in force at that time, and good.
     */
    public static void check(byte[] response, X509Certificate[] chain, Instant time) {
        if (chain.length < 2) {
            throw new IllegalArgumentException(
                    "1 certificate in the chain (expected: also that of the issuer, whose key signs OCSP responses)");
        }
        try {
            CertPathValidator validator = CertPathValidator.getInstance("PKIX");
            PKIXRevocationChecker revocation = (PKIXRevocationChecker) validator.getRevocationChecker();
            // With the response given and no fallback, the check connects to no server.
            revocation.setOcspResponses(Map.of(chain[0], response));
            revocation.setOptions(
                    EnumSet.of(PKIXRevocationChecker.Option.ONLY_END_ENTITY, PKIXRevocationChecker.Option.NO_FALLBACK));
            PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(chain[1], null)));
            parameters.addCertPathChecker(revocation);
            parameters.setDate(Date.from(time));
            validator.validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(chain[0])), parameters);
        } catch (GeneralSecurityException | RuntimeException e) {
            // The parser of the JDK throws unchecked exceptions for some malformed responses.
            throw new IllegalArgumentException(
                    TlsFailure.rootMessage(e) + " (expected: a response that is good for the certificate now)", e);
        }
    }
}
