package dev.postern.auth.token;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * GREASE challenges, added to some responses so that clients stay able to skip unknown types (RFC 9577 section 4.1): a reserved type, with
 * random content and a random key. As thread-safe as its source of randomness.
 */
public final class Grease {

    /** Average number of responses per GREASE challenge. */
    static final int ONE_OF = 4;

    private static final int SHORTEST = 16;
    private static final int LONGEST = 128;

    private final RandomGenerator random;

    /** @param random cryptographically secure, as required for all random parts of a challenge (section 5.1) */
    public Grease(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Inserts a GREASE challenge at a random position of a response's challenges, or leaves them unchanged.
     *
     * @param field creates a field from its value
     */
    public <F> void into(List<F> challenges, Function<String, F> field) {
        if (random.nextInt(ONE_OF) == 0) {
            challenges.add(random.nextInt(challenges.size() + 1), field.apply(challenge()));
        }
    }

    private String challenge() {
        List<Integer> types = TokenType.reserved();
        int type = types.get(random.nextInt(types.size()));
        byte[] content = bytes();
        content[0] = (byte) (type >> 8);
        content[1] = (byte) type;
        return ChallengeField.text(content, bytes(), -1);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(SHORTEST, LONGEST + 1)];
        random.nextBytes(bytes);
        return bytes;
    }
}
