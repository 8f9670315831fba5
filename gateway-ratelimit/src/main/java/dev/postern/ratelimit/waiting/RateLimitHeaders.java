package dev.postern.ratelimit.waiting;

import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.List;

/** Rate limit header fields of a refusal (draft-ietf-httpapi-ratelimit-headers-10). */
public final class RateLimitHeaders {

    private RateLimitHeaders() {}

    /** @param retryMicros time until the limit allows one more request */
    public static List<Field> of(RateLimitRule rule, long retryMicros) {
        long seconds = Math.max(1, QueuePosition.seconds(retryMicros));
        String policy = "\"" + rule.name() + "\";q=" + rule.rate().count() + ";w="
                + rule.rate().period().toSeconds();
        return List.of(
                Field.of(FieldName.RETRY_AFTER, Long.toString(QueuePosition.spread(seconds))),
                Field.of(FieldName.RATE_LIMIT_POLICY, policy),
                Field.of(FieldName.RATE_LIMIT, "\"" + rule.name() + "\";r=0;t=" + seconds));
    }
}
