package dev.postern.auth.verify;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPublicKeySpec;

/** RSASSA-PSS by a provider of the Java Cryptography Architecture, which need not be registered. */
final class JcaPss implements RsaPss {

    private final Signature signature;

    private JcaPss(Signature signature) {
        this.signature = signature;
    }

    static RsaPss of(Provider provider, BigInteger modulus, BigInteger exponent, int saltLength)
            throws GeneralSecurityException {
        PublicKey key = KeyFactory.getInstance("RSA", provider).generatePublic(new RSAPublicKeySpec(modulus, exponent));
        Signature signature = Signature.getInstance("RSASSA-PSS", provider);
        signature.setParameter(new PSSParameterSpec(
                "SHA-384", "MGF1", MGF1ParameterSpec.SHA384, saltLength, PSSParameterSpec.TRAILER_FIELD_BC));
        signature.initVerify(key);
        return new JcaPss(signature);
    }

    @Override
    public boolean verify(byte[] message, int length, byte[] sig, int sigStart, int sigLength) {
        try {
            signature.update(message, 0, length);
            return signature.verify(sig, sigStart, sigLength);
        } catch (SignatureException e) {
            return false; // some providers throw for an invalid signature
        }
    }
}
