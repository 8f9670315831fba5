package dev.postern.auth.verify;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.engines.RSAEngine;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.PSSSigner;

/** RSASSA-PSS by BouncyCastle's own classes; works on every platform. */
final class BouncyPss implements RsaPss {

    private final PSSSigner signer;

    private BouncyPss(PSSSigner signer) {
        this.signer = signer;
    }

    static RsaPss of(BigInteger modulus, BigInteger exponent, int saltLength) {
        PSSSigner signer = new PSSSigner(new RSAEngine(), new SHA384Digest(), saltLength);
        signer.init(false, new RSAKeyParameters(false, modulus, exponent));
        return new BouncyPss(signer);
    }

    @Override
    public boolean verify(byte[] message, int length, byte[] sig, int sigStart, int sigLength) {
        signer.update(message, 0, length);
        return signer.verifySignature(Arrays.copyOfRange(sig, sigStart, sigStart + sigLength));
    }
}
