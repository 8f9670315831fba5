package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.ChallengeField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the parser of the challenge field (RFC 9110 section 11.6.1, RFC 9577 section 2.1): it finds exactly the challenges of the grammar,
 * and parses what the gateway writes.
 */
public final class ChallengeFieldFuzz {

    private ChallengeFieldFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a challenge was found. */
    static boolean accepts(byte[] input) {
        String text = new String(input, ISO_8859_1);
        List<ChallengeField> fields = ChallengeField.parse(text);
        List<ChallengeField> expected = expected(text);
        FuzzCheck.hold((fields == null) == (expected == null), "a list of challenges if the grammar accepts it");
        if (fields == null || expected == null) {
            return false;
        }
        FuzzCheck.hold(fields.size() == expected.size(), "as many challenges as the grammar finds");
        for (int i = 0; i < fields.size(); i++) {
            requireEqual(fields.get(i), expected.get(i));
            checkRoundTrip(fields.get(i));
        }
        return !fields.isEmpty();
    }

    private static @Nullable List<ChallengeField> expected(String text) {
        List<Map<String, String>> challenges = HeaderGrammar.challenges(text);
        if (challenges == null) {
            return null;
        }
        List<ChallengeField> expected = new ArrayList<>();
        for (Map<String, String> params : challenges) {
            byte[] challenge = HeaderGrammar.base64(params.get("challenge"));
            String age = params.getOrDefault("max-age", "");
            if (challenge != null) {
                expected.add(new ChallengeField(
                        challenge,
                        HeaderGrammar.base64(params.get("token-key")),
                        age.matches("[0-9]{1,18}") ? Long.parseLong(age) : -1));
            }
        }
        return expected;
    }

    private static void checkRoundTrip(ChallengeField field) {
        byte[] key = field.tokenKey();
        if (key == null) {
            return;
        }
        String written = ChallengeField.text(field.challenge(), key, field.maxAge());
        List<ChallengeField> repeated = ChallengeField.parse(written + ", " + written);
        FuzzCheck.hold(repeated != null && repeated.size() == 2, "what we write is one challenge");
        if (repeated != null) {
            requireEqual(repeated.get(0), field);
            requireEqual(repeated.get(1), field);
        }
    }

    private static void requireEqual(ChallengeField field, ChallengeField other) {
        FuzzCheck.hold(HeaderGrammar.same(field.challenge(), other.challenge()), "the challenge");
        FuzzCheck.hold(HeaderGrammar.same(field.tokenKey(), other.tokenKey()), "the key");
        FuzzCheck.hold(field.maxAge() == other.maxAge() && field.maxAge() >= -1, "the age");
    }
}
