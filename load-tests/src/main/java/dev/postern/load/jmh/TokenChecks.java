package dev.postern.load.jmh;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.batch.BatchVerifier;
import dev.postern.auth.batch.SignedToken;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Cost;
import dev.postern.load.server.RunFolder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Checks of signatures of tokens by one thread, with the gateway's own check of one provider, or out of a queue in
 * batches.
 */
@State(Scope.Thread)
public class TokenChecks {
    private static final int TOKENS = 64;

    /** The provider's name, for single checks, or that of {@link BatchProvider}, for batches. */
    @Param(SignatureProvider.NATIVE)
    public String provider = "";

    private final List<Token> tokens = new ArrayList<>();
    private Pass pass = tokens -> 0;

    /** One pass over tokens in order; returns how many were accepted. */
    @FunctionalInterface
    private interface Pass {

        int accepted(List<Token> tokens);
    }

    private record Signed(Token token, RsaKey key) implements SignedToken {}

    /** Returns the cost of a check with this provider. */
    public static Cost cost(RunFolder folder, String provider, Duration warmUp, Duration turn) {
        return Jmh.cost(
                folder,
                Jmh.options(TokenChecks.class)
                        .warmupIterations(1)
                        .warmupTime(TimeValue.milliseconds(warmUp.toMillis()))
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(turn.toMillis())),
                Map.of("provider", provider));
    }

    /** Signs the tokens, and checks that the provider refuses a forgery: a check that accepts everything would be fast as well. */
    @Setup
    public void sign() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        RsaKey key = RsaKey.of(((RSAPublicKey) pair.getPublic()).getModulus());
        pass = provider.equals(BatchProvider.LIBRARY) ? batches(key) : singly(key);
        for (int i = 0; i < TOKENS; i++) {
            tokens.add(token(key, pair.getPrivate()));
        }
        byte[] bytes = tokens.get(0).bytes().clone();
        bytes[bytes.length - 1] ^= 1;
        Token forged = Token.parse(bytes);
        if (forged == null || pass.accepted(List.of(forged)) != 0) {
            throw new IllegalStateException("forged token: accepted (expected: refused)");
        }
    }

    private Pass singly(RsaKey key) {
        SignatureCheck check = SignatureProvider.named(provider).check(key);
        return tokens -> {
            int accepted = 0;
            for (Token token : tokens) {
                accepted += check.accepts(token) ? 1 : 0;
            }
            return accepted;
        };
    }

    private static Pass batches(RsaKey key) {
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

    /** Measures checks; each is an operation. */
    @Benchmark
    @OperationsPerInvocation(TOKENS)
    public void check() {
        if (pass.accepted(tokens) != TOKENS) {
            throw new IllegalStateException("good token: refused (expected: accepted)");
        }
    }
}
