package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.auth.token.ChallengeField;
import java.util.Arrays;
import java.util.List;

/** Grammar of the field that asks for tokens (RFC 9110 section 11.6.1, RFC 9577 section 2.1). */
public final class ChallengeFieldFuzz {

    private ChallengeFieldFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        List<ChallengeField> fields = ChallengeField.parse(new String(input, ISO_8859_1));
        if (fields == null) {
            return;
        }
        for (ChallengeField field : fields) {
            byte[] key = field.tokenKey();
            if (key != null && field.maxAge() >= 0) {
                String written = ChallengeField.withAge(ChallengeField.prefix(field.challenge(), key), field.maxAge());
                List<ChallengeField> again = ChallengeField.parse(written);
                Must.hold(again != null && again.size() == 1, "what we write is one challenge");
                Must.hold(
                        again != null && Arrays.equals(again.get(0).challenge(), field.challenge()),
                        "the challenge there and back");
                Must.hold(again != null && again.get(0).maxAge() == field.maxAge(), "the age there and back");
            }
        }
    }
}
