package dev.postern.core.tls;

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
 * A certificate chain and its key, known to belong together.
 *
 * @param chain leaf first; not copied
 * @param names DNS names of the leaf, in small letters; a name may begin with {@code *.}
 */
record CertificateAndKey(X509Certificate[] chain, PrivateKey key, List<String> names) {

    private static final int DNS_NAME = 2;
    private static final byte[] PROBE = {'p', 'o', 's', 't', 'e', 'r', 'n'};

    /** Of the two files' contents; throws {@link IllegalArgumentException} with what is wrong. */
    static CertificateAndKey of(byte[] certificates, byte[] key) {
        X509Certificate[] chain = Pem.certificates(certificates);
        PrivateKey secret = keyOf(chain[0], Pem.key(key));
        return new CertificateAndKey(chain, secret, names(chain[0]));
    }

    /** What operators know it by: its first name, else its subject. */
    String label() {
        return names.isEmpty() ? chain[0].getSubjectX500Principal().getName() : names.get(0);
    }

    /** When the first certificate of the chain expires: from then on clients believe none of it. */
    Instant expiry() {
        return Arrays.stream(chain)
                .map(one -> one.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** What JSSE calls the kind of key: {@code RSA}, {@code EC}, {@code EdDSA}, {@code RSASSA-PSS}. */
    String keyType() {
        return chain[0].getPublicKey().getAlgorithm();
    }

    private static PrivateKey keyOf(X509Certificate leaf, PrivateKey read) {
        try {
            String algorithm = leaf.getPublicKey().getAlgorithm();
            // Whoever read the file may call its kind otherwise, BouncyCastle ECDSA what is EC here, and JSSE would not
            // take it.
            PrivateKey key =
                    KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(read.getEncoded()));
            // Two files are never replaced at one instant, so that one may be ahead of the other.
            if (belongTogether(algorithm, leaf, key)) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            // of different kinds
        }
        throw new IllegalArgumentException("(expected: the key of the first certificate in its chain)");
    }

    private static List<String> names(X509Certificate leaf) {
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
