package dev.postern.load.worker;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.batch.BatchVerifier;
import dev.postern.auth.batch.SignedToken;
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
 * Argument: the provider's name, for single checks, or {@code crypto_mb}, for batches out of a queue. A question is a
 * number of seconds, its response the {@link Cost} of a check.
 */
public final class VerifyWorker {
    private static final int TOKENS = 64;
    private static final int PASSES = 4;

    private final List<Token> tokens = new ArrayList<>();
    private final Turn turn;

    /** One pass over tokens in order; returns how many were accepted. */
    @FunctionalInterface
    private interface Turn {

        int accepted(List<Token> tokens);
    }

    private VerifyWorker(String provider) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        RsaKey key = RsaKey.of(((RSAPublicKey) pair.getPublic()).getModulus());
        turn = provider.equals(BatchProvider.LIBRARY) ? batches(key) : singly(key, provider);
        for (int i = 0; i < TOKENS; i++) {
            tokens.add(token(key, pair.getPrivate()));
        }
        refusesForgery();
    }

    private static Turn singly(RsaKey key, String provider) {
        SignatureCheck check = SignatureProvider.named(provider).check(key);
        return tokens -> {
            int accepted = 0;
            for (Token token : tokens) {
                accepted += check.accepts(token) ? 1 : 0;
            }
            return accepted;
        };
    }

    private record Signed(Token token, RsaKey key) implements SignedToken {}

    private static Turn batches(RsaKey key) {
        BatchVerifier verifier = BatchProvider.choose().verifier();
        SignedToken[] batch = new SignedToken[BatchVerifier.MAX];
        return tokens -> {
            int accepted = 0;
            for (int first = 0; first < tokens.size(); first += batch.length) {
                int count = Math.min(batch.length, tokens.size() - first);
                for (int i = 0; i < count; i++) {
                    batch[i] = new Signed(tokens.get(first + i), key);
                }
                accepted += Integer.bitCount(verifier.verify(batch, count));
            }
            return accepted;
        };
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
        if (forged == null || turn.accepted(List.of(forged)) != 0) {
            throw new IllegalStateException("forged token: accepted (expected: refused)");
        }
    }

    private long checks(double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long checks = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < PASSES; i++) {
                if (turn.accepted(tokens) != TOKENS) {
                    throw new IllegalStateException("good token: refused (expected: accepted)");
                }
            }
            checks += PASSES * TOKENS;
        }
        return checks;
    }
}
