package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.testing.Vectors;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Contract of all lanes and of the verifier on them: each token of a batch has its own result. */
abstract class BatchContract {

    static final TokenMint FIRST = TokenMint.shared();
    static final TokenMint SECOND = TokenMint.fresh();
    static final TokenMint THIRD = TokenMint.fresh();

    private static final byte[] CHALLENGE = new TokenChallenge(2, "issuer.example", new byte[32], "a.example").encode();
    private static final int ALL = 0xff;

    private static final Map<TokenMint, List<SignedToken>> GOOD = new ConcurrentHashMap<>();
    private static final Random RANDOM = new Random(8);

    record Case(RsaKey key, Token token) implements SignedToken {}

    /** Returns lanes for one thread. */
    abstract RsaLanes lanes();

    @Test
    void passTheSelfTest() {
        assertThat(BatchSelfTest.run(lanes())).isPositive();
    }

    @Test
    void acceptsTheTokensOfRfc9578InEveryLane() {
        BatchVerifier verifier = new BatchVerifier(lanes());
        for (var vector : Vectors.list("rfc9578/type2-blind-rsa-2048.json")) {
            Token token = Objects.requireNonNull(Token.parse(Vectors.bytes(vector, "token")));
            RsaKey key = (RsaKey) IssuerKey.read(TokenType.BLIND_RSA, Vectors.bytes(vector, "pkS"));
            SignedToken[] batch = new SignedToken[8];
            Arrays.fill(batch, new Case(key, token));

            assertThat(verifier.verify(batch, 8)).isEqualTo(ALL);
        }
    }

    @Test
    void onlyTheBadTokenOfEightFails() {
        for (Map.Entry<String, SignedToken> bad : badTokens().entrySet()) {
            BatchVerifier verifier = new BatchVerifier(lanes());
            for (int lane = 0; lane < 8; lane++) {
                SignedToken[] batch = new SignedToken[8];
                Arrays.setAll(batch, i -> good(i % 2 == 0 ? FIRST : SECOND));
                batch[lane] = bad.getValue();

                assertThat(verifier.verify(batch, 8))
                        .as("%s in lane %d", bad.getKey(), lane)
                        .isEqualTo(ALL & ~(1 << lane));
            }
        }
    }

    @Test
    void onlyTheGoodTokenOfEightPasses() {
        for (Map.Entry<String, SignedToken> bad : badTokens().entrySet()) {
            BatchVerifier verifier = new BatchVerifier(lanes());
            for (int lane = 0; lane < 8; lane++) {
                SignedToken[] batch = new SignedToken[8];
                Arrays.setAll(batch, i -> bad.getValue());
                batch[lane] = good(THIRD);

                assertThat(verifier.verify(batch, 8))
                        .as("%s in all lanes but %d", bad.getKey(), lane)
                        .isEqualTo(1 << lane);
            }
        }
    }

    @Test
    void verifiesEachTokenUnderItsOwnKey() {
        BatchVerifier verifier = new BatchVerifier(lanes());
        TokenMint[] mints = {FIRST, SECOND, THIRD};
        SignedToken[] batch = new SignedToken[8];
        for (int shift = 0; shift < 3; shift++) {
            int first = shift;
            Arrays.setAll(batch, i -> good(mints[(i + first) % 3]));
            assertThat(verifier.verify(batch, 8)).isEqualTo(ALL);
        }
        Arrays.setAll(
                batch,
                i -> new Case(mints[(i + 1) % 3].key(), good(mints[i % 3]).token()));
        assertThat(verifier.verify(batch, 8)).isZero();
    }

    /** A key that a lane had before must not decide about a later token. */
    @Test
    void forgetsTheKeysOfEarlierBatches() {
        BatchVerifier verifier = new BatchVerifier(lanes());
        SignedToken[] batch = new SignedToken[8];
        Arrays.setAll(batch, i -> good(FIRST));
        assertThat(verifier.verify(batch, 8)).isEqualTo(ALL);
        Arrays.setAll(batch, i -> good(SECOND));
        assertThat(verifier.verify(batch, 8)).isEqualTo(ALL);

        Arrays.setAll(batch, i -> new Case(SECOND.key(), good(FIRST).token()));

        assertThat(verifier.verify(batch, 8)).isZero();
    }

    @Test
    void smallerBatchesShowNothingOfLargerOnes() {
        BatchVerifier verifier = new BatchVerifier(lanes());
        SignedToken[] batch = new SignedToken[8];
        Arrays.setAll(batch, i -> good(FIRST));
        for (int count = 8; count >= 0; count--) {
            assertThat(verifier.verify(batch, count)).isEqualTo((1 << count) - 1);
        }
        Arrays.setAll(batch, i -> forged(FIRST));
        for (int count = 8; count >= 0; count--) {
            assertThat(verifier.verify(batch, count)).isZero();
        }
    }

    @Test
    void computesTheSamePowersAsBigInteger() {
        RsaLanes lanes = lanes();
        Random random = new Random(65537);
        byte[] result = new byte[256];
        for (int call = 0; call < calls(); call++) {
            BigInteger[] expected = new BigInteger[8];
            for (int lane = 0; lane < 8; lane++) {
                BigInteger modulus = new BigInteger(2048, random).setBit(2047).setBit(0);
                BigInteger number = switch (random.nextInt(16)) {
                    case 0 -> BigInteger.valueOf(random.nextInt(3));
                    case 1 -> modulus.subtract(BigInteger.valueOf(1 + random.nextInt(2)));
                    default -> new BigInteger(2048, random).mod(modulus);
                };
                expected[lane] = number.modPow(RsaKey.EXPONENT, modulus);
                lanes.fill(lane, RsaKey.of(modulus), BigIntegerLanes.unsigned(number), 0);
            }
            assertThat(lanes.compute()).isEqualTo(ALL);
            for (int lane = 0; lane < 8; lane++) {
                lanes.result(lane, result);
                assertThat(new BigInteger(1, result)).isEqualTo(expected[lane]);
            }
        }
    }

    /** Returns how many batches of random numbers are compared. */
    int calls() {
        return 5;
    }

    /** Returns one of eight valid tokens of the mint. */
    static SignedToken good(TokenMint mint) {
        List<SignedToken> tokens = GOOD.computeIfAbsent(
                mint,
                minting -> Stream.generate(() -> (SignedToken) new Case(minting.key(), minting.token(CHALLENGE)))
                        .limit(8)
                        .toList());
        return tokens.get(RANDOM.nextInt(tokens.size()));
    }

    static SignedToken forged(TokenMint mint) {
        byte[] bytes = good(mint).token().bytes().clone();
        bytes[200] ^= 4;
        return bytes(mint, bytes);
    }

    static SignedToken notBelowTheModulus(TokenMint mint) {
        byte[] bytes = good(mint).token().bytes().clone();
        Arrays.fill(bytes, 98, 354, (byte) 0xff);
        return new Case(mint.key(), Objects.requireNonNull(Token.parse(bytes)));
    }

    private static SignedToken congruent(TokenMint mint) {
        BigInteger limit = BigInteger.ONE.shiftLeft(2048);
        while (true) {
            byte[] bytes = mint.token(CHALLENGE).bytes().clone();
            BigInteger sum = new BigInteger(1, Arrays.copyOfRange(bytes, 98, 354))
                    .add(mint.key().modulus());
            if (sum.compareTo(limit) < 0) {
                System.arraycopy(BigIntegerLanes.unsigned(sum), 0, bytes, 98, 256);
                return bytes(mint, bytes);
            }
        }
    }

    private static Map<String, SignedToken> badTokens() {
        byte[] good = good(FIRST).token().bytes();
        byte[] zeros = good.clone();
        Arrays.fill(zeros, 98, 354, (byte) 0);
        byte[] otherMessage = good.clone();
        otherMessage[5] ^= 1;
        byte[] signed = Arrays.copyOf(good, 98);
        byte[] otherType = new byte[146];
        otherType[1] = 1;
        Map<String, SignedToken> bad = new LinkedHashMap<>();
        bad.put("a bit of the signature changed", forged(FIRST));
        bad.put("signature not below the modulus", notBelowTheModulus(FIRST));
        bad.put("signature plus the modulus, the same number to RSA", congruent(FIRST));
        bad.put("signature of zeros", bytes(FIRST, zeros));
        bad.put("signed by another key", new Case(FIRST.key(), good(SECOND).token()));
        bad.put("message changed", bytes(FIRST, otherMessage));
        bad.put("another salt length", new Case(FIRST.key(), Token.of(signed, FIRST.sign(signed, 32))));
        bad.put("token of another type and length", bytes(FIRST, otherType));
        return bad;
    }

    private static SignedToken bytes(TokenMint mint, byte[] bytes) {
        return new Case(mint.key(), Objects.requireNonNull(Token.parse(bytes)));
    }
}
