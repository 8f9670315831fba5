package dev.postern.auth.token;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Challenges that nobody can answer, sent now and then so that clients stay able to skip what they don't know (RFC 9577 section 4.1): of a
 * type reserved for this, with a content and a key of random bytes. As thread-safe as its source of random.
 */
public final class Grease {

    /** One response of so many gets such a challenge. */
    static final int ONE_OF = 4;

    private static final int SHORTEST = 16;
    private static final int LONGEST = 128;

    private final RandomGenerator random;

    /** @param random cryptographically secure, as all that is random in a challenge has to be (section 5.1) */
    public Grease(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Puts such a challenge at any place among those of a response, or leaves them as they are.
     *
     * @param field makes a field of its value
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
