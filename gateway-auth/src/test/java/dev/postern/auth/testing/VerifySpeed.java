package dev.postern.auth.testing;

import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how many tokens one core verifies per second of CPU time, by provider. Compare with {@code openssl speed -seconds 3 rsa2048},
 * which also counts CPU time, so that a busy machine does not distort the comparison.
 */
public final class VerifySpeed {

    private VerifySpeed() {}

    public static void main(String[] args) {
        for (String provider : SignatureProvider.names()) {
            System.out.printf(
                    "%-30s %,10.0f verifications/s and core%n", provider, perSecond(provider, Duration.ofSeconds(3)));
        }
    }

    /** Measures on the calling thread, after a warm-up of the same length; with different tokens of one key. */
    public static double perSecond(String provider, Duration length) {
        SignatureCheck check =
                SignatureProvider.named(provider).check(TokenMint.shared().key());
        byte[] challenge = new TokenChallenge(2, "issuer.example", new byte[32], "gateway.example").encode();
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            tokens.add(TokenMint.shared().token(challenge));
        }
        run(check, tokens, length);
        return run(check, tokens, length);
    }

    private static double run(SignatureCheck check, List<Token> tokens, Duration length) {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        long start = thread.getCurrentThreadCpuTime();
        long count = 0;
        long elapsed = 0;
        while (elapsed < length.toNanos()) {
            for (Token token : tokens) {
                if (!check.accepts(token)) {
                    throw new IllegalStateException("a good token was refused");
                }
            }
            count += tokens.size();
            elapsed = thread.getCurrentThreadCpuTime() - start;
        }
        return count * 1e9 / elapsed;
    }
}
