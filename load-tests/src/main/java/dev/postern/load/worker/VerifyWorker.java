package dev.postern.load.worker;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Verify worker: checks signatures of tokens as fast as one thread can, with the gateway's own check of one provider.
 * Argument: the provider's name. A question is a number of seconds, its response the {@link Cost} of a check.
 */
public final class VerifyWorker {
    private static final int TOKENS = 64;
    private static final int AT_A_TIME = 256;

    private final SignatureCheck check;
    private final List<Token> tokens = new ArrayList<>();

    private VerifyWorker(String provider) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        RsaKey key = RsaKey.of(((RSAPublicKey) pair.getPublic()).getModulus());
        check = SignatureProvider.named(provider).check(key);
        for (int i = 0; i < TOKENS; i++) {
            tokens.add(token(key, pair.getPrivate()));
        }
        refusesForgery();
    }

    public static void main(String... arguments) throws IOException, GeneralSecurityException {
        VerifyWorker worker = new VerifyWorker(arguments[0]);
        Worker.serve(question ->
                Cost.of(() -> worker.checks(Double.parseDouble(question))).line());
    }

    /** Returns a token that is signed directly, since a finalised blind signature is a plain PSS signature. */
    private static Token token(RsaKey key, PrivateKey secret) throws GeneralSecurityException {
        byte[] nonce = new byte[32];
        new SecureRandom().nextBytes(nonce);
        byte[] signed = Token.signedPart(TokenType.BLIND_RSA, nonce, Bytes32.at(nonce, 0), key.id());
        Signature pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA384, 48, 1));
        pss.initSign(secret);
        pss.update(signed);
        return Token.of(signed, pss.sign());
    }

    /** Checks that the provider refuses a forgery: a check that accepts everything would be fast as well. */
    private void refusesForgery() {
        byte[] bytes = tokens.get(0).bytes().clone();
        bytes[bytes.length - 1] ^= 1;
        Token forged = Token.parse(bytes);
        if (forged == null || check.accepts(forged)) {
            throw new IllegalStateException("forged token: accepted (expected: refused)");
        }
    }

    private long checks(double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long checks = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < AT_A_TIME; i++) {
                if (!check.accepts(tokens.get(i % TOKENS))) {
                    throw new IllegalStateException("good token: refused (expected: accepted)");
                }
            }
            checks += AT_A_TIME;
        }
        return checks;
    }
}
