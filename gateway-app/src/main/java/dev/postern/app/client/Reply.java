package dev.postern.app.client;

import dev.postern.auth.token.ChallengeField;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An answer as a client sees it.
 *
 * @param fields by lower-case names
 */
public record Reply(int status, Map<String, List<String>> fields, String body) {

    /** The first value of that field; empty when there is none. */
    public String field(String name) {
        List<String> values = fields.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return values.isEmpty() ? "" : values.get(0);
    }

    /** The first challenge for a token that can be answered; throws {@link IOException} when there is none. */
    public ChallengeField challenge() throws IOException {
        for (String name : List.of("www-authenticate", "proxy-authenticate")) {
            for (String value : fields.getOrDefault(name, List.of())) {
                List<ChallengeField> found = ChallengeField.parse(value);
                if (found != null && !found.isEmpty()) {
                    return found.get(0);
                }
            }
        }
        throw new IOException(
                "answer: " + status + " without a PrivateToken challenge (expected: 401 or 407 with one)");
    }
}
