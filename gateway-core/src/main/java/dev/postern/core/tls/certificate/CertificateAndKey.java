package dev.postern.core.tls.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Certificate chain and its private key, checked to match.
 *
 * @param chain leaf first; not copied
 * @param names DNS names of the leaf, in lower case; a name may begin with {@code *.}
 * @param staple OCSP response for the leaf; empty for none
 */
public record CertificateAndKey(X509Certificate[] chain, PrivateKey key, List<String> names, byte[] staple) {

    private static final int DNS_NAME = 2;
    private static final byte[] PROBE = {'p', 'o', 's', 't', 'e', 'r', 'n'};

    /** Parses the contents of the two files; throws {@link IllegalArgumentException} with the reason. */
    public static CertificateAndKey of(byte[] certificates, byte[] key) {
        X509Certificate[] chain = Pem.certificates(certificates);
        PrivateKey secret = keyOf(chain[0], Pem.key(key));
        return new CertificateAndKey(chain, secret, names(chain[0]), new byte[0]);
    }

    /** Returns a copy with that OCSP response. */
    public CertificateAndKey with(byte[] response) {
        return new CertificateAndKey(chain, key, names, response);
    }

    /** Returns the name for operators: the first DNS name, otherwise the subject. */
    public String label() {
        return names.isEmpty() ? chain[0].getSubjectX500Principal().getName() : names.get(0);
    }

    /** Returns when the first certificate of the chain expires: from then on clients reject the whole chain. */
    public Instant expiry() {
        return Arrays.stream(chain)
                .map(one -> one.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Returns the JSSE name of the key type: {@code RSA}, {@code EC}, {@code EdDSA}, {@code RSASSA-PSS}. */
    public String keyType() {
        return chain[0].getPublicKey().getAlgorithm();
    }

    private static PrivateKey keyOf(X509Certificate leaf, PrivateKey read) {
        try {
            String algorithm = leaf.getPublicKey().getAlgorithm();
            // The reader of the file may name the key type differently: BouncyCastle says ECDSA for EC, which JSSE
            // rejects.
            PrivateKey key =
                    KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(read.getEncoded()));
            // The two files are never replaced at the same instant, so one file may be newer than the other.
            if (belongTogether(algorithm, leaf, key)) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            // key and certificate of different types
        }
        throw new IllegalArgumentException("(expected: the key of the first certificate in its chain)");
    }

    /** Returns the DNS names of a certificate, in lower case. */
    static List<String> names(X509Certificate leaf) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = leaf.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> one : all) {
                    if (one.get(0).equals(DNS_NAME)) {
                        names.add(String.valueOf(one.get(1)).toLowerCase(Locale.ROOT));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException("(expected: a certificate whose names can be read)", e);
        }
        return List.copyOf(names);
    }

    private static boolean belongTogether(String algorithm, X509Certificate leaf, PrivateKey key)
            throws GeneralSecurityException {
        Signature signing = signature(algorithm);
        signing.initSign(key);
        signing.update(PROBE);
        byte[] signed = signing.sign();
        Signature verifying = signature(algorithm);
        verifying.initVerify(leaf.getPublicKey());
        verifying.update(PROBE);
        return verifying.verify(signed);
    }

    private static Signature signature(String algorithm) throws GeneralSecurityException {
        switch (algorithm) {
            case "RSA":
                return Signature.getInstance("SHA256withRSA");
            case "EC":
                return Signature.getInstance("SHA256withECDSA");
            case "RSASSA-PSS":
                Signature pss = Signature.getInstance(algorithm);
                pss.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
                return pss;
            default:
                return Signature.getInstance(algorithm);
        }
    }
}
