package dev.postern.app.client;

import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenScheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Response as received by a client.
 *
 * @param fields by lower-case names
 */
public record ClientResponse(int status, Map<String, List<String>> fields, String body) {

    /** Returns the first value of the field; empty if there is none. */
    public String field(String name) {
        List<String> values = fields.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return values.isEmpty() ? "" : values.get(0);
    }

    /**
     * Returns the first challenge with a token type that this client supports, over all fields in their order; GREASE and unknown types are
     * skipped. Throws {@link IOException} if there is none.
     */
    public ChallengeField challenge() throws IOException {
        List<ChallengeField> all = new ArrayList<>();
        for (String name : List.of("www-authenticate", "proxy-authenticate")) {
            for (String value : fields.getOrDefault(name, List.of())) {
                List<ChallengeField> found = ChallengeField.parse(value);
                all.addAll(found == null ? List.of() : found);
            }
        }
        ChallengeField first = TokenClient.first(all);
        if (first == null) {
            throw new IOException("response: " + status + " with " + all.size()
                    + " PrivateToken challenges (expected: 401 or 407 with one of token type " + TokenScheme.types()
                    + ")");
        }
        return first;
    }
}
